import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
  type OutgoingHttpHeaders,
  type SecureClientSessionOptions,
} from "node:http2";
import type { Readable } from "node:stream";

export interface Answer {
  readonly statusCode: number;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Readable;
}

export interface AnswerLimits {
  /** Until the first byte of the answer. */
  readonly timeoutMs: number;
  /** Without a further byte; without limit when `undefined`. */
  readonly idleMs: number | undefined;
}

export interface Liveness {
  /** A connection on which nothing came for so long is asked whether it still is one; without streams it is closed. */
  readonly silentMs: number;
  readonly pingTimeoutMs: number;
}

interface Connection {
  readonly session: ClientHttp2Session;
  /** One for all its streams. */
  readonly streamClosed: () => void;
  /** From when the server has said how many streams it allows. */
  isOpen: boolean;
  /** Streams that are open. */
  open: number;
}

const connectTimeoutMs = 10_000;
const clientGo: Liveness = { silentMs: 30_000, pingTimeoutMs: 15_000 };
/** Of one connection, whatever the server allows. */
const maxStreams = 200;
/** What may be under way unread: of one stream, and of a connection. */
const streamWindowBytes = 1024 * 1024;
const connectionWindowBytes = 4 * streamWindowBytes;

/** Requests to one server over as few connections as it allows, where it speaks HTTP/2. */
export class Http2Connections implements Disposable {
  readonly #origin: string;
  readonly #tls: SecureClientSessionOptions;
  readonly #liveness: Liveness;
  readonly #connections = new Set<Connection>();
  #connecting: Promise<boolean> | undefined;
  #isRefused = false;

  /** As often as client-go asks whether connections are alive, when `liveness` is absent. */
  constructor(origin: string, tls: SecureClientSessionOptions, liveness = clientGo) {
    this.#origin = origin;
    this.#tls = tls;
    this.#liveness = liveness;
  }

  /**
   * Resolves with the answer's head; `undefined` where the server speaks HTTP/1.1 only. What the server has not begun to
   * work on, as its connection ends, is sent once more. The signal ends the stream. `beforeSend` is called once there is a
   * connection, which may take long; a throw stops the request.
   */
  async request(
    headers: OutgoingHttpHeaders,
    body: string | undefined,
    limits: AnswerLimits,
    signal: AbortSignal,
    beforeSend: () => void = () => undefined,
  ): Promise<Answer | undefined> {
    for (let attempt = 1; ; attempt++) {
      const connection = await this.#take();
      if (!connection) return undefined;
      try {
        beforeSend();
      } catch (error) {
        this.#release(connection);
        throw error;
      }
      let stream: ClientHttp2Stream | undefined;
      try {
        stream = connection.session.request(headers, { endStream: body === undefined, signal });
        stream.on("close", connection.streamClosed);
        if (body !== undefined) stream.end(body);
        return await answerOf(stream, limits);
      } catch (error) {
        if (!stream) {
          this.#release(connection);
          this.#connections.delete(connection);
        }
        const isUntouched = !stream || stream.rstCode === constants.NGHTTP2_REFUSED_STREAM;
        if (!isUntouched || attempt > 1 || signal.aborted) throw error;
      }
    }
  }

  [Symbol.dispose](): void {
    for (const { session } of this.#connections) session.destroy();
  }

  /** A place for a stream. */
  async #take(): Promise<Connection | undefined> {
    while (!this.#isRefused) {
      for (const connection of this.#connections) {
        if (!connection.isOpen) continue;
        const { remoteSettings } = connection.session;
        if (connection.open >= Math.min(remoteSettings.maxConcurrentStreams ?? maxStreams, maxStreams))
          continue;
        if (connection.open++ === 0) connection.session.ref();
        return connection;
      }
      this.#connecting ??= this.#connect().finally(() => {
        this.#connecting = undefined;
      });
      await this.#connecting;
    }
    return undefined;
  }

  #release(connection: Connection): void {
    // What is unused keeps no process from ending.
    if (--connection.open === 0) connection.session.unref();
  }

  /** False where the server speaks no HTTP/2. */
  #connect(): Promise<boolean> {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    const session = connect(this.#origin, {
      ...this.#tls,
      settings: { enablePush: false, initialWindowSize: streamWindowBytes },
    });
    const connection: Connection = {
      session,
      streamClosed: () => this.#release(connection),
      isOpen: false,
      open: 0,
    };
    this.#connections.add(connection);
    const refuse = () => {
      this.#isRefused = true;
      resolve(false);
    };
    const slow = setTimeout(
      () => session.destroy(timeout("no connection", connectTimeoutMs)),
      connectTimeoutMs,
    );
    session.once("connect", () => {
      // It may have been given up, or broken, in the same moment: no caller could catch what its methods throw then.
      if (session.destroyed) return;
      session.setLocalWindowSize(connectionWindowBytes);
      if (session.alpnProtocol === "h2") return;
      refuse();
      session.destroy();
    });
    session.once("remoteSettings", () => {
      if (this.#isRefused || session.destroyed) return;
      clearTimeout(slow);
      connection.isOpen = true;
      session.unref();
      session.setTimeout(this.#liveness.silentMs);
      session.on("timeout", () => {
        if (connection.open === 0) session.close();
        else endWhenDead(session, this.#liveness);
      });
      resolve(true);
    });
    session.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL") refuse();
      else reject(error);
    });
    session.once("goaway", () => this.#connections.delete(connection));
    session.once("close", () => {
      clearTimeout(slow);
      this.#connections.delete(connection);
      reject(new Error("the server closed the connection"));
    });
    return promise;
  }
}

/** A network that is gone says nothing: a caller that only listens would wait for minutes. */
function endWhenDead(session: ClientHttp2Session, { silentMs, pingTimeoutMs }: Liveness): void {
  const late = setTimeout(
    () => session.destroy(timeout("no answer to a ping", pingTimeoutMs)),
    pingTimeoutMs,
  ).unref();
  const isSent = session.ping((error) => {
    clearTimeout(late);
    // To Node.js an answered ping is silence still.
    if (!error) session.setTimeout(silentMs);
  });
  if (!isSent) clearTimeout(late);
}

/** Leaves as few listeners and timers as it can: a process may have ten thousand watches that wait. */
function answerOf(stream: ClientHttp2Stream, { timeoutMs, idleMs }: AnswerLimits): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const late = () => stream.destroy(timeout("no answer", timeoutMs));
  const closed = () => reject(stream.errored ?? new Error("the server closed the connection"));
  stream.setTimeout(timeoutMs, late);
  stream.on("error", ignore);
  stream.on("close", closed);
  stream.once("response", (headers: IncomingHttpHeaders & IncomingHttpStatusHeader) => {
    stream.off("close", closed);
    stream.setTimeout(0, late);
    if (idleMs !== undefined)
      stream.setTimeout(idleMs, () => stream.destroy(timeout("no further byte", idleMs)));
    resolve({ statusCode: headers[":status"] ?? 0, headers: { warning: headers.warning }, body: stream });
  });
  return promise;
}

/** What reads the stream, or waits for its close, gets its error there. */
function ignore(): void {}

function timeout(what: string, ms: number): Error {
  return Object.assign(new Error(`${what} within ${ms} ms`), { name: "TimeoutError" });
}
