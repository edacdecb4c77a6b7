import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createZstdDecompress } from "node:zlib";
import { extract } from "tar-stream";
import { errors } from "../registry/errors.ts";

const maxUnpackedBytes = 2 * 1024 ** 3;

/**
 * Returns the content of one file in an image layer: a tar archive, optionally compressed with gzip or zstd. The layer is read
 * completely.
 * @throws PayloadUnusable; TooLarge if the unpacked data exceeds the limit, regardless of the sizes in the archive
 */
export async function fileInLayer(
  layer: Readable,
  path: string,
  options: { readonly maxBytes: number; readonly what: string; readonly signal: AbortSignal },
): Promise<Buffer | undefined> {
  const { maxBytes, what, signal } = options;
  const archive = extract();
  const unpacked = async function* (source: AsyncIterable<Buffer>) {
    let bytes = 0;
    for await (const chunk of source) {
      bytes += chunk.length;
      if (bytes > maxUnpackedBytes)
        throw errors.TooLarge(`${what} unpacks to more than ${maxUnpackedBytes} bytes`);
      yield chunk;
    }
  };
  const [first, source] = await peek(layer);
  const found = collect(archive, path, maxBytes, what);
  const unpacker = unpackerFor(first);
  const read = unpacker
    ? pipeline(source, unpacker, unpacked, archive, { signal })
    : pipeline(source, unpacked, archive, { signal });
  const [content, end] = await Promise.allSettled([found, read]);
  const failure = [content, end].find((each) => each.status === "rejected");
  if (!failure) return content.status === "fulfilled" ? content.value : undefined;
  signal.throwIfAborted();
  const { reason } = failure;
  if (reason instanceof Error && "retry" in reason) throw reason;
  throw errors.PayloadUnusable(
    `${what} is no archive: ${reason instanceof Error ? reason.message : reason}`,
    { cause: reason },
  );
}

/**
 * Returns the decompressor for a layer, which the first bytes of the layer determine. Returns `undefined` for an uncompressed
 * layer.
 */
function unpackerFor(start: Buffer) {
  if (start.subarray(0, 2).equals(gzipMagic)) return createGunzip();
  return start.subarray(0, 4).equals(zstdMagic) ? createZstdDecompress() : undefined;
}

const gzipMagic = Buffer.from([0x1f, 0x8b]);
const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

async function collect(
  archive: ReturnType<typeof extract>,
  path: string,
  maxBytes: number,
  what: string,
): Promise<Buffer | undefined> {
  let content: Buffer | undefined;
  for await (const entry of archive) {
    if (entry.header.type === "file" && entry.header.name.replace(/^\.?\//, "") === path) {
      const chunks: Buffer[] = [];
      let bytes = 0;
      for await (const chunk of entry) {
        if (!(chunk instanceof Buffer)) continue;
        bytes += chunk.length;
        if (bytes > maxBytes) throw errors.TooLarge(`${path} of ${what} has more than ${maxBytes} bytes`);
        chunks.push(chunk);
      }
      content = Buffer.concat(chunks);
    } else {
      entry.resume();
    }
  }
  return content;
}

/** Returns the first bytes of a stream, and a stream with the complete content. */
async function peek(layer: Readable): Promise<[Buffer, AsyncIterable<Buffer>]> {
  const chunks: AsyncIterator<Buffer> = layer[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  while (start.length < zstdMagic.length) {
    const next = await chunks.next();
    if (next.done) break;
    start = Buffer.concat([start, next.value]);
  }
  async function* whole() {
    if (start.length > 0) yield start;
    yield* { [Symbol.asyncIterator]: () => chunks };
  }
  return [start, whole()];
}
