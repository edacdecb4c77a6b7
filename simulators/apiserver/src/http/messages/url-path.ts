import { failures } from "@keelson/apimachinery";

/** Segment of a URL path. */
export interface PathSegment {
  /** Decoded segment. */
  readonly text: string;
  /** Path after this segment, as encoded by the client, with its leading slash. */
  readonly after: string;
}

export interface UrlPath {
  /** Decoded path. */
  readonly path: string;
  readonly segments: readonly PathSegment[];
}

/**
 * Parses a path with a leading slash. An encoded slash separates segments, as in kube-apiserver. Trailing slashes are ignored.
 * Other empty segments are empty names.
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
