import type { ServerResponse } from "node:http";
import { failures, StatusError } from "@keelson/apimachinery";
import { type Clock, untilSharedTick } from "@keelson/base";
import type { ObjectWatch, WatchFrame } from "../../registry/watch.ts";
import type { StoredObject } from "../../storage/stored-object.ts";
import type { Representation } from "./representation.ts";

const bookmarkEveryMs = 60_000;
/** Bookmarks of watches that began at different times are due together. */
const bookmarkTickMs = 5_000;
/** A client that ends its watch as early as the server must not miss the last bookmark. */
const bookmarkBeforeEndMs = 2_000;
/** A client that takes nothing for so long is not there any more. */
const stalledAfterMs = 60_000;
const framesPerWrite = 200;
const cachedObjects = 512;

/** The frames of the newest events, so that each is encoded once for all watchers of one representation. */
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
  /** Ends the stream when the server closes. */
  readonly signal: AbortSignal;
}

/**
 * Streams a watch until its time is over, the client goes away or its place in the history is gone. Nothing is
 * queued for a slow client: its watch reads on when the socket takes more.
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
  let stalled: NodeJS.Timeout | undefined;
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
      // A writer's commit woke us: nothing may be thrown at it.
      fail(error);
      return;
    }
    stalled ??= setTimeout(() => response.destroy(), stalledAfterMs).unref();
  };
  const onDrain = (): void => {
    clearTimeout(stalled);
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
    clearTimeout(stalled);
    response.off("drain", onDrain);
    response.off("close", onClose);
    output?.end();
    output = undefined;
  }
}

/** Answers a watch that cannot start with the one frame that says why. */
export function streamError(
  response: ServerResponse,
  representation: Representation,
  error: StatusError,
): void {
  const output = beginStream(response, representation);
  output.write(errorFrame(error, representation));
  output.end();
}

/** Where the frames of one stream go. */
interface FrameOutput {
  write(frame: Frame): void;
  end(): void;
}

/** One frame, or several, as they are and as one chunk of HTTP/1.1: made once for all who watch. */
interface Frame {
  readonly bytes: Buffer;
  readonly chunk: Buffer;
}

const lastChunk = Buffer.from("0\r\n\r\n");

function beginStream(response: ServerResponse, { streamType }: Representation): FrameOutput {
  response.writeHead(200, { "content-type": streamType, "cache-control": "no-cache, private" });
  response.flushHeaders();
  // The chunks come framed: they are written as they are, in one piece. Clients of HTTP/1.0 get none.
  const chunked = response.chunkedEncoding;
  response.chunkedEncoding = false;
  return {
    write: ({ bytes, chunk }) => response.write(chunked ? chunk : bytes),
    end: () => (chunked ? response.end(lastChunk) : response.end()),
  };
}

/** Waits for the end of the time or of the stream, and calls `remind` every minute and just before the end. */
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
