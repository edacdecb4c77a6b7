import { failures } from "@keelson/apimachinery";

/** One segment of a URL's path. */
export interface PathSegment {
  /** Decoded. */
  readonly text: string;
  /** What follows it in the path, from its slash on, as the client spelt it. */
  readonly after: string;
}

export interface UrlPath {
  /** Decoded. */
  readonly path: string;
  readonly segments: readonly PathSegment[];
}

/**
 * A path that begins with a slash, taken apart. An encoded slash separates like any other, as it does for
 * kube-apiserver. Slashes at the end do not count; empty segments elsewhere do, and name nothing.
 * @throws StatusError 400
 */
export function parsePath(raw: string): UrlPath {
  const segments: PathSegment[] = [];
  let begin = 1;
  for (const { index, 0: separator } of raw.slice(1).matchAll(/\/|%2f|$/gi)) {
    const end = index + 1;
    segments.push({ text: decode(raw, raw.slice(begin, end)), after: raw.slice(end) });
    begin = end + separator.length;
  }
  while (segments.at(-1)?.text === "") segments.pop();
  return { path: decode(raw, raw), segments };
}

function decode(path: string, text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw failures.badRequest(`the path is not percent-encoded UTF-8: ${path.slice(0, 100)}`);
  }
}
