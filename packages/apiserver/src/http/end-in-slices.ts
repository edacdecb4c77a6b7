import type { ServerResponse } from "node:http";

/** Bytes that are encrypted before others have their turn. */
const sliceBytes = 131_072;
/** Less than a socket holds before it waits for its client. */
const lastBytes = 49_152;

/**
 * Ends a response with `bytes`, of which long ones go as fast as the client takes them. The last ones go when all others
 * have gone: a client that has them all may send its next request, and one that comes to a connection that still waits
 * for its client is not read properly (Node.js takes its body for the parse error HPE_PAUSED).
 */
export async function endInSlices(response: ServerResponse, bytes: Buffer): Promise<void> {
  let at = 0;
  while (bytes.length - at > lastBytes) {
    const end = Math.min(at + sliceBytes, bytes.length - lastBytes);
    const more = response.write(bytes.subarray(at, end));
    if (response.destroyed) return;
    if (!more) await drained(response);
    at = end;
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
