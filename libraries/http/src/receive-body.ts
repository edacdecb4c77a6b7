import type { Readable } from "node:stream";
import { startTimeLimit } from "@keelson/base";

export interface BodyLimits {
  readonly maxBytes: number;
  /** Time limit from the first to the last byte, in milliseconds. */
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
 * Maximum length of an oversized body that is still read and discarded, as a multiple of the size limit. After that, the client
 * can read the response.
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
    let discard: NodeJS.Timeout | undefined;
    let receive: Disposable | undefined;
    const finish = (body: ReceivedBody) => {
      clearImmediate(limiting);
      clearTimeout(discard);
      stream.off("data", onData).off("end", onEnd).off("error", onBroken).off("close", onBroken);
      if (receive) {
        receive[Symbol.dispose]();
        signal.removeEventListener("abort", onAbort);
      }
      resolve(body);
    };
    const giveUp = (body: ReceivedBody) => {
      stream.pause();
      finish(body);
    };
    const leaveRest = () => giveUp({ kind: "too-large", isRead: false });
    // Sets the limits after the current event loop iteration. Most bodies arrive together with their headers, so they are already
    // complete and need no limits.
    const limiting = setImmediate(() => {
      receive = startTimeLimit(receiveMs, () => giveUp({ kind: "late" }));
      signal.addEventListener("abort", onAbort, { once: true });
      if (signal.aborted) onAbort();
    });
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxBytes) {
        chunks.push(chunk);
        return;
      }
      chunks.length = 0;
      discard ??= setTimeout(leaveRest, discardMs);
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
