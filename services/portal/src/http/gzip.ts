import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { acceptsGzip } from "@keelson/http";

const compress = promisify(gzip);
/** Minimum size in bytes of a body that is compressed. Compression saves little for smaller bodies. */
const leastBytes = 4_096;

/** Returns the compressed body. Undefined if the body is small or the client does not accept gzip. */
export async function gzipped(
  body: Uint8Array,
  acceptEncoding: string | undefined,
): Promise<Buffer | undefined> {
  if (body.length < leastBytes || !acceptsGzip(acceptEncoding)) return undefined;
  return compress(body);
}
