/** Matches paths that may need decoding or re-encoding before a comparison. */
const unusual = /[^A-Za-z0-9\-._~()/!$&'*+,;=:@]|\/\/|\/$|^$/;

/**
 * Returns the canonical request target for routing and authorization. It is in lower case, without duplicate or trailing slashes
 * and without needless percent-encoding. The query string is unchanged. A segment with invalid percent-encoding is used
 * literally, so every target has a canonical form.
 */
export function normaliseTarget(target: string): string {
  const { path, query } = splitTarget(target);
  if (!unusual.test(path)) return path.toLowerCase() + query;
  const segments = pathSegments(path).map((segment) => encodeURIComponent(lowerCaseAscii(segment)));
  return `/${segments.join("/")}${query}`;
}

/** Returns the decoded segments of a request target in the caller's spelling. */
export function originalSegments(target: string): readonly string[] {
  return pathSegments(splitTarget(target).path);
}

function splitTarget(target: string): { path: string; query: string } {
  const relative = target.startsWith("/") ? target : target.replace(/^https?:\/\/[^/?]*/i, "");
  const mark = relative.indexOf("?");
  return mark < 0
    ? { path: relative, query: "" }
    : { path: relative.slice(0, mark), query: relative.slice(mark) };
}

function pathSegments(path: string): string[] {
  return path
    .split("/")
    .filter((segment) => segment !== "")
    .map(decodeSegment);
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/**
 * Converts only ASCII letters to lower case. `toLowerCase` would also convert some non-ASCII characters to ASCII letters, for
 * example the Kelvin sign to `k`.
 */
function lowerCaseAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
