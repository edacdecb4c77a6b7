/** Characters after which a path may need decoding or re-encoding before it can be compared. */
const unusual = /[^A-Za-z0-9\-._~()/!$&'*+,;=:@]|\/\/|\/$|^$/;

/**
 * Returns the canonical request target for routing and authorization. It is in lower case, has single slashes,
 * no trailing slash and no needless percent-encoding. The query is unchanged. A segment that is not
 * percent-encoded UTF-8 is used literally, so no target is malformed.
 */
export function normaliseTarget(target: string): string {
  const { path, query } = splitTarget(target);
  if (!unusual.test(path)) return path.toLowerCase() + query;
  const segments = pathSegments(path).map((segment) => encodeURIComponent(lowerCaseAscii(segment)));
  return `/${segments.join("/")}${query}`;
}

/** Returns the decoded segments of a request target in the caller's case. */
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

/** Not `toLowerCase` alone: beyond ASCII it folds characters onto ASCII letters (the Kelvin sign onto `k`). */
function lowerCaseAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
