import { bool, listType, mapType, opaqueType, string } from "../values/type.ts";
import { errorValue, listOf, mapOf, type OpaqueValue, type Value } from "../values/value.ts";
import { func, type Library, method, type Overload } from "./overload.ts";

/** Components of a URL. Go's net/url.ParseRequestURI accepts absolute URLs and absolute paths. */
interface Url {
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
}

const type = opaqueType("kubernetes.URL");
const perTenth = (size = 1) => Math.ceil(size * 0.1);

/** Parses a URL. Returns undefined if it is invalid. */
export function parseUrl(text: string): Url | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: Go rejects control characters.
  if (text === "" || /[\x00-\x1f\x7f]/.test(text)) return undefined;
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text)?.[1]?.toLowerCase() ?? "";
  const rest = text.slice(scheme ? scheme.length + 1 : 0);
  if (!rest.startsWith("/")) return scheme ? { scheme, host: "", path: "", query: "" } : undefined;
  const mark = rest.indexOf("?");
  const query = mark < 0 ? "" : rest.slice(mark + 1);
  const beforeQuery = mark < 0 ? rest : rest.slice(0, mark);
  const hasAuthority = beforeQuery.startsWith("//") && (scheme !== "" || !beforeQuery.startsWith("///"));
  const end = hasAuthority ? slashAfter(beforeQuery, 2) : 0;
  const host = hasAuthority ? hostOf(beforeQuery.slice(2, end)) : "";
  const path = beforeQuery.slice(end);
  if (host === undefined || /%(?![0-9a-fA-F]{2})/.test(path)) return undefined;
  return { scheme, host, path, query };
}

function slashAfter(text: string, from: number): number {
  const found = text.indexOf("/", from);
  return found < 0 ? text.length : found;
}

/** Returns host and port without the user. Returns undefined if Go rejects them. */
function hostOf(authority: string): string | undefined {
  const at = authority.lastIndexOf("@");
  const user = authority.slice(0, Math.max(at, 0));
  const host = authority.slice(at + 1);
  if (!/^[A-Za-z0-9\-._~!$&'()*+,;=:%@]*$/.test(user)) return undefined;
  if (host.startsWith("[")) return /^\[[0-9a-fA-F:.]+(%25[^\]]+)?\](:\d*)?$/.test(host) ? host : undefined;
  if (!/^[^\s/?#[\]@\\^`{|}]*$/.test(host) || /%(?![0-9a-fA-F]{2})/.test(host)) return undefined;
  const colon = host.indexOf(":");
  return colon < 0 || /^:\d*$/.test(host.slice(colon)) ? host : undefined;
}

const portPattern = /:(\d*)$/;

function hostname(host: string): string {
  if (host.startsWith("[")) return host.slice(1, host.indexOf("]"));
  return host.replace(portPattern, "");
}

function port(host: string): string {
  const end = host.startsWith("[") ? host.slice(host.indexOf("]") + 1) : host;
  return portPattern.exec(end)?.[1] ?? "";
}

/** Escapes characters that a path may not contain. */
function escapedPath(path: string): string {
  return path.replace(/[^A-Za-z0-9\-._~!$&'()*+,;=:@/%[\]]/gu, (each) => encodeURIComponent(each));
}

function queryOf(query: string): Value {
  const values = new Map<string, string[]>();
  for (const part of query.split("&")) {
    if (part === "" || part.includes(";")) continue;
    const [name, ...rest] = part.split("=");
    const key = unescaped(name ?? "");
    const value = unescaped(rest.join("="));
    if (key === undefined || value === undefined) continue;
    const known = values.get(key);
    if (known) known.push(value);
    else values.set(key, [value]);
  }
  return mapOf([...values].map(([name, each]) => [name, listOf(each)]));
}

function unescaped(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}

function partOf(name: string, read: (url: Url) => string): Overload {
  return method(name, [type], string, ([value], meter) => {
    meter.work(value.key.length * 0.1);
    const url = contentOf(value);
    return url ? read(url) : errorValue("no such overload");
  });
}

function contentOf({ key }: OpaqueValue): Url | undefined {
  return parseUrl(key);
}

export const urls: Library = {
  types: { "kubernetes.URL": type },
  overloads: [
    func("isURL", [string], bool, ([text]) => parseUrl(text) !== undefined, perTenth),
    func(
      "url",
      [string],
      type,
      ([text]) => {
        const content = parseUrl(text);
        return content
          ? { kind: "opaque", typeName: "kubernetes.URL", content, key: text }
          : errorValue(
              `URL parse error during conversion from string: parse ${JSON.stringify(text)}: invalid URI for request`,
            );
      },
      perTenth,
    ),
    func("string", [type], string, ([{ key }]) => key),
    partOf("getScheme", ({ scheme }) => scheme),
    partOf("getHost", ({ host }) => host),
    partOf("getHostname", ({ host }) => hostname(host)),
    partOf("getPort", ({ host }) => port(host)),
    partOf("getEscapedPath", ({ path }) => escapedPath(path)),
    method("getQuery", [type], mapType(string, listType(string)), ([value], meter) => {
      meter.work(value.key.length);
      const url = contentOf(value);
      return url ? queryOf(url.query) : errorValue("no such overload");
    }),
  ],
};
