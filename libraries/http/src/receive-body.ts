import type { Readable } from "node:stream";
import { startTimeLimit } from "@keelson/base";

export interface BodyLimits {
  readonly maxBytes: number;
  /** Time limit without a byte, in milliseconds. The complete body may take `receiveFactor` times as long. */
  readonly receiveMs: number;
}

/** Result of `receiveBody`. For all results except `complete`, the stream is paused or at its end. */
export type ReceivedBody =
  | { readonly kind: "complete"; readonly bytes: Buffer }
  /** The body is too large. `isRead` is true if the rest was read and discarded. */
  | { readonly kind: "too-large"; readonly isRead: boolean }
  | { readonly kind: "late" }
  | { readonly kind: "broken"; readonly cause: unknown }
  | { readonly kind: "aborted" };

/**
 * Ratio of the time limit for a complete body to the time limit without a byte. It stops clients that send a body byte by byte.
 */
export const receiveFactor = 6;

/**
 * Maximum length of an oversized body that is still read and discarded, as a multiple of the size limit. Clients that send the
 * complete body first can then read the response.
 */
const discardFactor = 8;
const discardMs = 1_000;

/** Reads a complete body within limits. `declaredBytes` is the length that the sender declared. */
export function receiveBody(
  stream: Readable,
  { maxBytes, receiveMs }: BodyLimits,
  signal: AbortSignal,
  declaredBytes?: number,
): Promise<ReceivedBody> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let discard: Disposable | undefined;
    let pause: Disposable | undefined;
    let total: Disposable | undefined;
    const finish = (body: ReceivedBody) => {
      clearImmediate(limiting);
      discard?.[Symbol.dispose]();
      stream.off("data", onData).off("end", onEnd).off("error", onBroken).off("close", onBroken);
      pause?.[Symbol.dispose]();
      total?.[Symbol.dispose]();
      signal.removeEventListener("abort", onAbort);
      resolve(body);
    };
    const giveUp = (body: ReceivedBody) => {
      stream.pause();
      finish(body);
    };
    const late = () => giveUp({ kind: "late" });
    const leaveRest = () => giveUp({ kind: "too-large", isRead: false });
    // Sets the limits after the current event loop iteration. Most bodies arrive together with their headers, so they are already
    // complete and need no limits.
    const limiting = setImmediate(() => {
      pause = startTimeLimit(receiveMs, late);
      total = startTimeLimit(receiveFactor * receiveMs, late);
      signal.addEventListener("abort", onAbort, { once: true });
      if (signal.aborted) onAbort();
    });
    const onData = (chunk: Buffer) => {
      if (pause) {
        pause[Symbol.dispose]();
        pause = startTimeLimit(receiveMs, late);
      }
      length += chunk.length;
      if (length <= maxBytes) {
        chunks.push(chunk);
        return;
      }
      chunks.length = 0;
      discard ??= startTimeLimit(discardMs, leaveRest);
      if (length > discardFactor * maxBytes) leaveRest();
    };
    const onEnd = () => {
      if (length > maxBytes) return finish({ kind: "too-large", isRead: true });
      finish({
        kind: "complete",
        bytes: chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks),
      });
    };
    const onBroken = (cause: unknown) => finish({ kind: "broken", cause });
    const onAbort = () => giveUp({ kind: "aborted" });
    stream.on("data", onData).on("end", onEnd).on("error", onBroken).on("close", onBroken);
    if (signal.aborted) onAbort();
    else if (declaredBytes !== undefined && declaredBytes > discardFactor * maxBytes) leaveRest();
  });
}

/** Returns the length in the header `content-length`. Returns undefined for a chunked body. */
export function declaredLength(contentLength: string | undefined): number | undefined {
  return contentLength !== undefined && /^\d{1,15}$/.test(contentLength) ? Number(contentLength) : undefined;
}

/** Returns the media type in the header `content-type`, in lower case without parameters. */
export function mediaTypeOf(contentType = ""): string {
  return contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
}
