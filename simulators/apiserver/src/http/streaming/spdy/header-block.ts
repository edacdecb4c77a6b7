import { constants, createDeflate, createInflate } from "node:zlib";
import { spdyDictionary } from "./dictionary.ts";

export type SpdyHeaders = ReadonlyMap<string, string>;

/** Maximum size of inflated headers in bytes, far above legitimate sizes. Protects against compression bombs. */
const maxHeaderBytes = 64 * 1_024;

/** Header compression of one session. All frames of the session share the compression state (SPDY/3.1 section 2.6.10). */
export interface HeaderCodec extends Disposable {
  encode(headers: SpdyHeaders): Promise<Buffer>;
  /** Rejects if the block is invalid. */
  decode(block: Buffer): Promise<SpdyHeaders>;
}

export function headerCodec(): HeaderCodec {
  const deflate = createDeflate({ dictionary: spdyDictionary });
  const inflate = createInflate({ dictionary: spdyDictionary });
  // An error rejects the current call. The listener prevents an unhandled "error" event between calls.
  for (const stream of [deflate, inflate]) stream.on("error", () => undefined);
  return {
    encode(headers) {
      return collect(deflate, (done) => {
        deflate.write(pack(headers));
        deflate.flush(constants.Z_SYNC_FLUSH, done);
      });
    },
    async decode(block) {
      return unpack(await collect(inflate, (done) => inflate.write(block, () => done())));
    },
    [Symbol.dispose]() {
      deflate.destroy();
      inflate.destroy();
    },
  };
}

/** Collects the output of `stream` until `feed` calls `done`. */
async function collect(
  stream: ReturnType<typeof createDeflate> | ReturnType<typeof createInflate>,
  feed: (done: () => void) => void,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onData = (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxHeaderBytes) {
      stream.destroy();
      reject(new Error("the headers of a SPDY stream are too long"));
    } else chunks.push(chunk);
  };
  stream.on("data", onData);
  stream.once("error", reject);
  feed(resolve);
  try {
    await promise;
    return Buffer.concat(chunks);
  } finally {
    stream.off("data", onData);
    stream.off("error", reject);
  }
}

/** Serializes headers. SPDY requires lowercase header names. */
export function pack(headers: SpdyHeaders): Buffer {
  const number = (value: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return bytes;
  };
  const text = (value: string) => [number(Buffer.byteLength(value)), Buffer.from(value)];
  return Buffer.concat([
    number(headers.size),
    ...[...headers].flatMap(([name, value]) => [...text(name.toLowerCase()), ...text(value)]),
  ]);
}

export function unpack(block: Buffer): SpdyHeaders {
  let offset = 0;
  const number = (): number => {
    if (offset + 4 > block.length) throw new Error("truncated SPDY header block");
    offset += 4;
    return block.readUInt32BE(offset - 4);
  };
  const text = (): string => {
    const end = number() + offset;
    if (end > block.length) throw new Error("truncated SPDY header block");
    const found = block.toString("utf8", offset, end);
    offset = end;
    return found;
  };
  const headers = new Map<string, string>();
  for (let left = number(); left > 0; left--) {
    const name = text().toLowerCase();
    headers.set(name, text());
  }
  return headers;
}
