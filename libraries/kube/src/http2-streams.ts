import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
  type OutgoingHttpHeaders,
  type SecureClientSessionOptions,
} from "node:http2";
import type { Readable } from "node:stream";

export interface StreamResponse {
  readonly statusCode: number;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Readable;
}

export interface StreamLimits {
  /** Until the first byte of the answer. */
  readonly timeoutMs: number;
  /** Without a further byte. */
  readonly idleMs: number;
}

interface Connection {
  readonly session: ClientHttp2Session;
  /** From when the server has said how many streams it allows. */
  isOpen: boolean;
  /** Streams that are open. */
  open: number;
}

const connectTimeoutMs = 10_000;
/** A connection without streams is closed after it. */
const unusedMs = 30_000;
/** Of one connection, whatever the server allows. */
const maxStreams = 200;
/** What may be under way unread: of one stream, and of a connection. */
const streamWindowBytes = 1024 * 1024;
const connectionWindowBytes = 4 * streamWindowBytes;

/** Long answers of one server over as few connections as it allows, where it speaks HTTP/2. */
export class Http2Streams implements Disposable {
  readonly #origin: string;
  readonly #tls: SecureClientSessionOptions;
  readonly #connections = new Set<Connection>();
  #connecting: Promise<boolean> | undefined;
  #isRefused = false;

  constructor(origin: string, tls: SecureClientSessionOptions) {
    this.#origin = origin;
    this.#tls = tls;
  }

  /** Resolves with the answer's head; `undefined` where the server speaks HTTP/1.1 only. The signal ends the stream. */
  async get(
    headers: OutgoingHttpHeaders,
    limits: StreamLimits,
    signal: AbortSignal,
  ): Promise<StreamResponse | undefined> {
    const connection = await this.#take();
    if (!connection) return undefined;
    let stream: ClientHttp2Stream;
    try {
      stream = connection.session.request(headers, { endStream: true, signal });
    } catch (error) {
      this.#release(connection);
      throw error;
    }
    stream.once("close", () => this.#release(connection));
    return answerOf(stream, limits);
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
    const connection = { session, isOpen: false, open: 0 };
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
      session.setLocalWindowSize(connectionWindowBytes);
      if (session.alpnProtocol === "h2") return;
      refuse();
      session.destroy();
    });
    session.once("remoteSettings", () => {
      if (this.#isRefused) return;
      clearTimeout(slow);
      connection.isOpen = true;
      session.unref();
      session.setTimeout(unusedMs, () => {
        if (connection.open === 0) session.close();
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

function answerOf(stream: ClientHttp2Stream, { timeoutMs, idleMs }: StreamLimits): Promise<StreamResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<StreamResponse>();
  stream.setTimeout(timeoutMs, () => stream.destroy(timeout("no answer", timeoutMs)));
  stream.on("error", reject);
  stream.once("close", () => reject(new Error("the server closed the connection")));
  stream.once("response", (headers: IncomingHttpHeaders & IncomingHttpStatusHeader) => {
    stream.setTimeout(idleMs, () => stream.destroy(timeout("no further byte", idleMs)));
    resolve({ statusCode: headers[":status"] ?? 0, headers: { warning: headers.warning }, body: stream });
  });
  return promise;
}

function timeout(what: string, ms: number): Error {
  return Object.assign(new Error(`${what} within ${ms} ms`), { name: "TimeoutError" });
}
