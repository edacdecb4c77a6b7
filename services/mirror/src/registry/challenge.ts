/** First supported challenge in a registry's 401 response. Parameter names are in lower case. */
export interface Challenge {
  readonly scheme: "basic" | "bearer";
  readonly parameters: Readonly<Record<string, string>>;
}

const maxLength = 8_192;
const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const parameter = new RegExp(`^\\s*,?\\s*(${token})\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|(${token}))`);
const start = new RegExp(`^\\s*,?\\s*(${token})(?=\\s|,|$)(?!\\s*=)`);

/** Parses `WWW-Authenticate` (RFC 9110, 11.6.1). Returns undefined if no scheme is supported. */
export function parseChallenge(header: string): Challenge | undefined {
  if (header.length > maxLength) return undefined;
  let rest = header;
  let found: { scheme: string; parameters: Record<string, string> } | undefined;
  const challenges: NonNullable<typeof found>[] = [];
  while (rest.trim() !== "") {
    const pair = parameter.exec(rest);
    const scheme = pair ? null : start.exec(rest);
    const [text] = pair ?? scheme ?? [""];
    if (text === "") break;
    rest = rest.slice(text.length);
    if (pair && found) {
      const [, name = "", quoted, plain = ""] = pair;
      found.parameters[name.toLowerCase()] = quoted?.replaceAll(/\\(.)/g, "$1") ?? plain;
    } else if (scheme) {
      found = { scheme: (scheme[1] ?? "").toLowerCase(), parameters: {} };
      challenges.push(found);
    }
  }
  for (const { scheme, parameters } of challenges)
    if (scheme === "bearer" || scheme === "basic") return { scheme, parameters };
  return undefined;
}
