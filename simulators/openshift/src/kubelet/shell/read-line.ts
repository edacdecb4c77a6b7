import type { Readable } from "node:stream";

const maxLineBytes = 1_024 * 1_024;

/** Reads the next line without its line break. The following data remains in the stream. `undefined` at the end of the stream. */
export async function readLine(stream: Readable, signal: AbortSignal): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for (;;) {
    signal.throwIfAborted();
    const read: unknown = stream.read();
    if (read === null) {
      if (stream.readableEnded || stream.destroyed) break;
      if (!(await more(stream, signal))) break;
      continue;
    }
    const chunk = Buffer.isBuffer(read) ? read : Buffer.from(String(read));
    const end = chunk.indexOf(10);
    if (end >= 0) {
      if (end + 1 < chunk.length) stream.unshift(chunk.subarray(end + 1));
      return Buffer.concat([...chunks, chunk.subarray(0, end)]).toString();
    }
    size += chunk.length;
    if (size > maxLineBytes) throw new Error("the line is too long");
    chunks.push(chunk);
  }
  return chunks.length > 0 ? Buffer.concat(chunks).toString() : undefined;
}

/** Waits for more data. False at the end of the stream. */
async function more(stream: Readable, signal: AbortSignal): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const readable = () => resolve(true);
  const ended = () => resolve(false);
  stream.once("readable", readable);
  stream.once("end", ended);
  stream.once("close", ended);
  signal.addEventListener("abort", readable, { once: true });
  try {
    return await promise;
  } finally {
    stream.off("readable", readable);
    stream.off("end", ended);
    stream.off("close", ended);
    signal.removeEventListener("abort", readable);
  }
}
