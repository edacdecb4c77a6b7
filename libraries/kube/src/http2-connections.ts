import { type ClientHttp2Session, connect, type SecureClientSessionOptions } from "node:http2";

export interface Liveness {
  /** A connection on which nothing came for so long is asked whether it still is one; without streams it is closed. */
  readonly silentMs: number;
  readonly pingTimeoutMs: number;
}

export interface Http2Connection {
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

/** As few to one server as it allows, where it speaks HTTP/2, for all clients that join: they close when the last one leaves. */
export class Http2Connections {
  readonly #origin: string;
  readonly #tls: SecureClientSessionOptions;
  readonly #liveness: Liveness;
  readonly #connections = new Set<Http2Connection>();
  #clients = 0;
  #connecting: Promise<boolean> | undefined;
  #isRefused = false;

  /** As often as client-go asks whether connections are alive, when `liveness` is absent. */
  constructor(origin: string, tls: SecureClientSessionOptions, liveness = clientGo) {
    this.#origin = origin;
    this.#tls = tls;
    this.#liveness = liveness;
  }

  join(): void {
    this.#clients++;
  }

  leave(): void {
    if (--this.#clients === 0) for (const { session } of this.#connections) session.destroy();
  }

  /** A place for a stream, which `release` or the stream's close gives back; `undefined` where the server speaks HTTP/1.1 only. */
  async take(): Promise<Http2Connection | undefined> {
    while (!this.#isRefused) {
      for (const connection of this.#connections) {
        const { session, isOpen } = connection;
        // What has ended, or is about to, takes no further stream.
        if (!isOpen || session.closed || session.destroyed) continue;
        const { remoteSettings } = session;
        if (connection.open >= Math.min(remoteSettings.maxConcurrentStreams ?? maxStreams, maxStreams))
          continue;
        if (connection.open++ === 0) session.ref();
        return connection;
      }
      this.#connecting ??= this.#connect().finally(() => {
        this.#connecting = undefined;
      });
      await this.#connecting;
    }
    return undefined;
  }

  release(connection: Http2Connection): void {
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
    const connection: Http2Connection = {
      session,
      streamClosed: () => this.release(connection),
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

export function timeout(what: string, ms: number): Error {
  return Object.assign(new Error(`${what} within ${ms} ms`), { name: "TimeoutError" });
}
