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

/** A stream of HTTP/2 whose connection breaks just stops. @throws Error when that happened */
export function requireEnd(body: Readable): void {
  if (!body.readableEnded) throw new Error("the connection broke");
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
  // Its destruction is no failure of its own.
  body.on("error", () => undefined);
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxBytes) return false;
  }
  requireEnd(body);
  return true;
}
