import type { ServerResponse } from "node:http";

/** Bytes that are encrypted before others have their turn. */
const sliceBytes = 131_072;

/** Ends a response with `bytes`, of which long ones go as fast as the client takes them. */
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

/** Resolves when more may be written, or nothing ever will. */
function drained(response: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = () => {
    response.off("drain", done).off("close", done);
    resolve();
  };
  response.once("drain", done).once("close", done);
  return promise;
}
