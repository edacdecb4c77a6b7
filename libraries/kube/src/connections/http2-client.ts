import {
  type ClientHttp2Stream,
  constants,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
} from "node:http2";
import type { Readable } from "node:stream";
import { maxExtension, startTimeLimit, systemClock } from "@keelson/base";
import { timeout } from "./http2-connection.ts";
import type { Http2Connections } from "./http2-connections.ts";
import { StreamGroup } from "./stream-group.ts";

export interface Response {
  readonly statusCode: number;
  /** Headers by lowercase name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Readable;
}

export interface ResponseLimits {
  /** Time limit in ms for the first byte of the response. */
  readonly timeoutMs: number;
  /** Time limit in ms between two bytes. Undefined: unlimited. */
  readonly idleMs: number | undefined;
}

/** HTTP client on connections that other clients may share. Disposal ends only the requests of this client. */
export class Http2Client implements Disposable {
  readonly #connections: Http2Connections;
  readonly #groups = new Map<AbortSignal, StreamGroup>();
  #isDisposed = false;

  constructor(connections: Http2Connections) {
    this.#connections = connections;
    connections.join();
  }

  /**
   * Resolves to the response head, or to undefined if the server supports only HTTP/1.1. If the connection closes before the
   * server starts to process a request, the request is repeated once. An abort of the signal ends the stream. `beforeSend` is
   * called when a connection is available, possibly long after the call of this method. If `beforeSend` throws, the request is
   * not sent. `headers` is an array of alternating names and values. Node.js retains the headers of each stream, and an object
   * with these headers would need ten times the memory of the array.
   */
  async request(
    headers: readonly string[],
    body: string | undefined,
    limits: ResponseLimits,
    signal: AbortSignal,
    beforeSend: () => void = () => undefined,
  ): Promise<Response | undefined> {
    for (let attempt = 1; ; attempt++) {
      const connection = await this.#connections.take({ signal, timeoutMs: limits.timeoutMs });
      if (!connection) return undefined;
      try {
        if (this.#isDisposed) throw closed();
        signal.throwIfAborted();
        beforeSend();
      } catch (error) {
        connection.release();
        throw error;
      }
      let stream: ClientHttp2Stream | undefined;
      try {
        stream = connection.session.request(headers, { endStream: body === undefined });
        stream.on("close", connection.streamClosed);
        this.#groupOf(signal).add(stream);
        if (body !== undefined) stream.end(body);
        return await responseOf(stream, limits);
      } catch (error) {
        if (!stream) connection.release();
        const isUntouched = !stream || stream.rstCode === constants.NGHTTP2_REFUSED_STREAM;
        if (!isUntouched || attempt > 1 || signal.aborted) throw error;
      }
    }
  }

  [Symbol.dispose](): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    for (const group of this.#groups.values()) group.end(closed());
    this.#connections.leave();
  }

  #groupOf(signal: AbortSignal): StreamGroup {
    let group = this.#groups.get(signal);
    if (!group) {
      group = new StreamGroup(signal, () => this.#groups.delete(signal));
      this.#groups.set(signal, group);
    }
    return group;
  }
}

/** Waits for the response head. It uses few listeners and timers, because a process may have ten thousand waiting watches. */
function responseOf(stream: ClientHttp2Stream, { timeoutMs, idleMs }: ResponseLimits): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const late = () => stream.destroy(timeout("no answer", timeoutMs));
  const closed = () => {
    limit[Symbol.dispose]();
    reject(stream.errored ?? new Error("the server closed the connection"));
  };
  const limit = startTimeLimit(timeoutMs, late);
  stream.on("error", ignore);
  stream.on("close", closed);
  stream.once("response", (headers: IncomingHttpHeaders & IncomingHttpStatusHeader) => {
    stream.off("close", closed);
    limit[Symbol.dispose]();
    if (idleMs !== undefined) limitSilence(stream, idleMs);
    resolve({ statusCode: headers[":status"] ?? 0, headers: { warning: headers.warning }, body: stream });
  });
  return promise;
}

/**
 * Destroys the stream after `idleMs` without a byte. After a delay of the event loop, the timer expires before bytes that have
 * already arrived are read. Such a delay therefore restarts the period.
 */
function limitSilence(stream: ClientHttp2Stream, idleMs: number): void {
  let lateMs = systemClock.lateMs();
  let restarts = 0;
  const silent = () => {
    const addedMs = systemClock.lateMs() - lateMs;
    lateMs += addedMs;
    if (addedMs < negligibleMs || restarts === maxExtension)
      return void stream.destroy(timeout("no further byte", idleMs));
    restarts += 1;
    stream.setTimeout(idleMs, silent);
  };
  stream.setTimeout(idleMs, silent);
}

/** Maximum delay of the event loop, in ms, that does not extend a limit. */
const negligibleMs = 10;

/** Ignores an error event. The reader of the stream receives the error. */
function ignore(): void {}

function closed(): Error {
  return new Error("the client is closed");
}
