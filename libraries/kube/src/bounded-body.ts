import type { Readable } from "node:stream";
import { KubeError } from "./kube-error.ts";

/** An error's body is a `Status` of a few lines. */
export const maxErrorBytes = 64 * 1024;

/** All of a body as text. @throws KubeError TooLarge, having read no more than `maxBytes` and a chunk */
export async function wholeBody(body: Readable, maxBytes: number, request: string): Promise<string> {
  const chunks: Buffer[] = [];
  if (await readUpTo(body, maxBytes, chunks)) return Buffer.concat(chunks).toString();
  throw new KubeError(0, "TooLarge", `${request} answered more than ${maxBytes} bytes`);
}

/**
 * A body as it arrives. Node.js' own iterator takes a stream of HTTP/2 for broken whose end has come before anybody reads
 * it, and one whose connection breaks for whole. @throws its error, or Error when it just stops
 */
export async function* chunksOf(body: Readable): AsyncGenerator<Buffer> {
  let wake = () => {};
  const awake = () => wake();
  const events = ["readable", "end", "error", "close"] as const;
  for (const event of events) body.on(event, awake);
  try {
    for (;;) {
      const changed = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const chunk: Buffer | null = body.read();
      if (chunk !== null) yield chunk;
      else if (body.readableEnded) return;
      else if (body.destroyed) throw body.errored ?? new Error("the connection broke");
      else await changed;
    }
  } finally {
    // Its destruction is no failure of its own.
    body.on("error", () => undefined);
    for (const event of events) body.off(event, awake);
    body.destroy();
  }
}

/** The beginning of a body, as far as it comes before the signal or its failure. */
export async function startOf(body: Readable, maxBytes: number, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  const stop = () => void body.destroy();
  signal.addEventListener("abort", stop);
  try {
    if (!signal.aborted) await readUpTo(body, maxBytes, chunks);
  } catch {
    // What came is of use all the same.
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
  }
  return Buffer.concat(chunks).subarray(0, maxBytes).toString();
}

/** True when that was all; otherwise the body, and with it the connection, is destroyed. */
async function readUpTo(body: Readable, maxBytes: number, chunks: Buffer[]): Promise<boolean> {
  let bytes = 0;
  for await (const chunk of chunksOf(body)) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxBytes) return false;
  }
  return true;
}
