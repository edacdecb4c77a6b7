import type { ServerResponse } from "node:http";

/** Number of bytes to write, and therefore encrypt, before other requests can run. */
const sliceBytes = 131_072;

/** Ends a response with `bytes`. Long bodies are written in slices, no faster than the client reads. */
export async function endInSlices(response: ServerResponse, bytes: Buffer): Promise<void> {
  let at = 0;
  while (bytes.length - at > sliceBytes) {
    const more = response.write(bytes.subarray(at, at + sliceBytes));
    if (response.destroyed) return;
    if (!more) await drained(response);
    at += sliceBytes;
  }
  response.end(bytes.subarray(at));
}

/** Resolves when the response accepts more bytes or is closed. */
function drained(response: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = () => {
    response.off("drain", done).off("close", done);
    resolve();
  };
  response.once("drain", done).once("close", done);
  return promise;
}
