/** `299 agent "text"`, with other warnings behind it. */
const warning = /299 [^\s,"]+ "((?:[^"\\]|\\.)*)"(?: "[^"]*")?/g;

/** What API servers warn of, in headers as RFC 7234 has them (section 5.5); those of other codes are left out. */
export function warningsIn(header: string | readonly string[] | undefined): readonly string[] {
  const lines = header === undefined ? [] : typeof header === "string" ? [header] : header;
  return lines.flatMap((line) =>
    [...line.matchAll(warning)].map(([, text = ""]) => text.replace(/\\(.)/g, "$1")),
  );
}
