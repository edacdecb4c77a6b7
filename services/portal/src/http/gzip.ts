import { promisify } from "node:util";
import { gzip } from "node:zlib";

const compress = promisify(gzip);
/** Smaller bodies gain less than they cost. */
const leastBytes = 4_096;

/** Whether a client takes gzip, by its `accept-encoding` (RFC 9110 §12.5.3). */
export function acceptsGzip(acceptEncoding = ""): boolean {
  return acceptEncoding
    .split(",")
    .some((each) => /^\s*gzip\s*(;|$)/i.test(each) && !/;\s*q=0(\.0*)?\s*$/i.test(each));
}

/** The body gzipped; `undefined` where it is too small for that, or the client takes none. */
export async function gzipped(
  body: Uint8Array,
  acceptEncoding: string | undefined,
): Promise<Buffer | undefined> {
  if (body.length < leastBytes || !acceptsGzip(acceptEncoding)) return undefined;
  return compress(body);
}
