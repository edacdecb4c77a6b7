import type { ServerResponse } from "node:http";
import { failures, StatusError } from "@keelson/apimachinery";
import { type Clock, startTimeLimit, untilSharedTick } from "@keelson/base";
import type { ObjectWatch, WatchFrame } from "../../registry/watch.ts";
import type { StoredObject } from "../../storage/stored-object.ts";
import type { Representation } from "./representation.ts";

const bookmarkEveryMs = 60_000;
/**
 * Interval in milliseconds to which bookmark times are aligned. Because of this, watches that began at different times wake up
 * together.
 */
const bookmarkTickMs = 5_000;
/**
 * Time in milliseconds between the last bookmark and the end of the watch. A client that times out together with the watch can
 * still receive the bookmark.
 */
const bookmarkBeforeEndMs = 2_000;
/** Time in milliseconds after which a client that reads no data counts as disconnected. */
const stalledAfterMs = 60_000;
const framesPerWrite = 200;
const cachedObjects = 512;

/** Encoded frames of recent events. Watches with the same representation use the same frame for an event. */
export class FrameCache {
  readonly #frames = new Map<StoredObject, Map<string, Frame>>();

  frame(type: string, stored: StoredObject, representation: Representation): Frame {
    let frames = this.#frames.get(stored);
    if (!frames) {
      frames = new Map();
      this.#frames.set(stored, frames);
      const oldest = this.#frames.keys().next().value;
      if (this.#frames.size > cachedObjects && oldest) this.#frames.delete(oldest);
    }
    const key = `${type} ${representation.key}`;
    const known = frames.get(key);
    if (known) return known;
    const made = framed([representation.frame(type, representation.one(stored))]);
    frames.set(key, made);
    return made;
  }
}

export interface WatchStreamOptions {
  readonly representation: Representation;
  readonly frames: FrameCache;
  readonly bookmarks: boolean;
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** Aborts when the server closes. */
  readonly signal: AbortSignal;
}

/**
 * Streams a watch. The watch ends on a timeout, after a disconnect, or when its position in the history is compacted. Events are
 * not queued for slow clients. The server reads further events from the history when the client's socket drains.
 */
export async function streamWatch(
  response: ServerResponse,
  watch: ObjectWatch,
  options: WatchStreamOptions,
): Promise<void> {
  const { frames, clock } = options;
  let { representation } = options;
  const closed = new AbortController();
  const signal = AbortSignal.any([options.signal, closed.signal]);
  let stalled: Disposable | undefined;
  let output: FrameOutput | undefined;

  const encode = (frame: WatchFrame): Frame => {
    const encoded = encodeAs(frame, representation);
    representation = options.representation.afterFirst ?? representation;
    return encoded;
  };
  const encodeAs = (frame: WatchFrame, representation: Representation): Frame => {
    if (frame.type !== "BOOKMARK") return frames.frame(frame.type, frame.stored, representation);
    const annotations = frame.initialEventsEnd ? { "k8s.io/initial-events-end": "true" } : undefined;
    return framed([representation.frame("BOOKMARK", representation.bookmark(frame.revision, annotations))]);
  };
  let preparing = false;
  const fail = (error: unknown): void => {
    const failure = error instanceof StatusError ? error : failures.internal(error);
    output?.write(errorFrame(failure, representation));
    output?.end();
    output = undefined;
    closed.abort();
  };
  const afterPreparing = (): void => {
    preparing = false;
    pump();
  };
  const pump = (): void => {
    if (!output || preparing) return;
    try {
      while (!response.writableNeedDrain) {
        const waiting = watch.prepare(framesPerWrite);
        if (waiting) {
          preparing = true;
          waiting.then(afterPreparing, fail);
          return;
        }
        const next = watch.read(framesPerWrite);
        if (!next) return;
        const [only] = next;
        if (only && next.length === 1) output.write(encode(only));
        else if (only) output.write(joined(next.map(encode)));
      }
    } catch (error) {
      // The error is not thrown, because the commit of a write calls this function and must not fail because of a watch.
      fail(error);
      return;
    }
    stalled ??= startTimeLimit(stalledAfterMs, () => response.destroy());
  };
  const onDrain = (): void => {
    stalled?.[Symbol.dispose]();
    stalled = undefined;
    pump();
  };
  const onClose = (): void => closed.abort();
  const unsubscribe = watch.subscribe(pump);
  response.on("drain", onDrain);
  response.on("close", onClose);
  try {
    if (response.destroyed) return;
    output = beginStream(response, representation);
    pump();
    await outlive(clock, options.timeoutMs, signal, () => {
      if (!options.bookmarks || response.writableNeedDrain || !watch.skipToHead()) return;
      output?.write(encode({ type: "BOOKMARK", revision: watch.revision, initialEventsEnd: false }));
    });
  } finally {
    unsubscribe();
    stalled?.[Symbol.dispose]();
    response.off("drain", onDrain);
    response.off("close", onClose);
    output?.end();
    output = undefined;
  }
}

/** Responds with a single error frame to a watch that cannot start. */
export function streamError(
  response: ServerResponse,
  representation: Representation,
  error: StatusError,
): void {
  const output = beginStream(response, representation);
  output.write(errorFrame(error, representation));
  output.end();
}

/** Output for the frames of a stream. */
interface FrameOutput {
  write(frame: Frame): void;
  end(): void;
}

/** One or several frames, as raw bytes and as an HTTP/1.1 chunk. Watches share the buffers. */
interface Frame {
  readonly bytes: Buffer;
  readonly chunk: Buffer;
}

const lastChunk = Buffer.from("0\r\n\r\n");

function beginStream(response: ServerResponse, { streamType }: Representation): FrameOutput {
  response.writeHead(200, { "content-type": streamType, "cache-control": "no-cache, private" });
  response.flushHeaders();
  // Frames are already encoded as chunks, so Node.js must not chunk them again. HTTP/1.0 clients receive raw frames.
  const chunked = response.chunkedEncoding;
  response.chunkedEncoding = false;
  return {
    write: ({ bytes, chunk }) => response.write(chunked ? chunk : bytes),
    end: () => (chunked ? response.end(lastChunk) : response.end()),
  };
}

/** Waits for the timeout or the end of the stream. Calls `remind` periodically and shortly before the timeout. */
async function outlive(
  clock: Clock,
  timeoutMs: number,
  signal: AbortSignal,
  remind: () => void,
): Promise<void> {
  const reminded = timeoutMs > 2 * bookmarkBeforeEndMs ? timeoutMs - bookmarkBeforeEndMs : timeoutMs;
  try {
    for (let left = reminded; left > 0; ) {
      const pauseMs = Math.min(left, untilSharedTick(bookmarkEveryMs, bookmarkTickMs, clock.monotonicMs()));
      await clock.sleep(pauseMs, signal);
      left -= pauseMs;
      remind();
    }
    if (timeoutMs > reminded) await clock.sleep(timeoutMs - reminded, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function errorFrame(error: StatusError, representation: Representation): Frame {
  return framed([representation.frame("ERROR", representation.failure(error.toStatus()))]);
}

function joined(frames: readonly Frame[]): Frame {
  return framed(frames.map(({ bytes }) => bytes));
}

function framed(parts: readonly Buffer[]): Frame {
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  const head = Buffer.from(`${size.toString(16)}\r\n`);
  const chunk = Buffer.concat([head, ...parts, Buffer.from("\r\n")]);
  return { bytes: chunk.subarray(head.length, -2), chunk };
}
