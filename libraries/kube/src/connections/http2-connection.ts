import {
  type ClientHttp2Session,
  connect as connectHttp2,
  type SecureClientSessionOptions,
} from "node:http2";
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { startTimeLimit } from "@keelson/base";
import type { TlsSession } from "./tls-sessions.ts";

/** TLS options of a connection. `lookup` resolves the host name. `resumption` stores the TLS session for the next connection. */
export type Http2TlsOptions = SecureClientSessionOptions & {
  readonly lookup?: LookupFunction;
  readonly resumption?: TlsSession;
};

export interface Liveness {
  /**
   * Time in ms without traffic. After this time, a connection with open streams is pinged, and a connection without streams is
   * closed.
   */
  readonly silentMs: number;
  readonly pingTimeoutMs: number;
}

/**
 * Receives events of a connection. The first event is `opened`, `refused` or `closed`. `closed` is the last event and is sent
 * once.
 */
export interface Http2ConnectionEvents {
  /** The server has announced its stream limit. */
  opened(): void;
  /** The server does not support HTTP/2. */
  refused(): void;
  /** More streams can be opened than before. */
  streamsFreed(): void;
  closed(error: Error): void;
}

const connectTimeoutMs = 10_000;
/** Maximum number of streams per connection, even if the server allows more. */
const maxStreams = 200;
/** Maximum number of unread bytes, both per stream and per connection. */
const streamWindowBytes = 1024 * 1024;
const connectionWindowBytes = 4 * streamWindowBytes;

/**
 * One HTTP/2 connection, including its TCP and TLS sockets. After a reset during the handshake, Node.js 24.16 to 24.21 emit no
 * event. In this case, only the destruction of the TCP socket ends the session.
 */
export class Http2Connection {
  readonly startedAtMs = performance.now();
  /** All streams share this listener, which saves memory. */
  readonly streamClosed = () => this.release();
  readonly #events: Http2ConnectionEvents;
  readonly #liveness: Liveness;
  readonly #tcp: Socket;
  readonly #limit: Disposable;
  #tls: TLSSocket | undefined;
  #session: ClientHttp2Session | undefined;
  #state: "connecting" | "open" | "refused" | "closed" = "connecting";
  #streams = 0;

  constructor(origin: URL, tls: Http2TlsOptions, liveness: Liveness, events: Http2ConnectionEvents) {
    this.#events = events;
    this.#liveness = liveness;
    const { lookup } = tls;
    const host = origin.hostname.replace(/^\[(.*)\]$/, "$1");
    this.#tcp = connectTcp({
      host,
      port: Number(origin.port || 443),
      noDelay: true,
      ...(lookup && { lookup }),
    });
    this.#limit = startTimeLimit(connectTimeoutMs, () =>
      this.destroy(timeout("no connection", connectTimeoutMs)),
    );
    this.#observe(this.#tcp);
    // Before "connect", Node.js may replace the socket to try a second address family.
    this.#tcp.once("connect", () => this.#secure(origin, host, tls));
  }

  get isConnecting(): boolean {
    return this.#state === "connecting";
  }

  /** True if the server accepts no further streams. The connection closes after the open streams have ended. */
  get isDraining(): boolean {
    return this.#state === "open" && this.#session?.closed === true;
  }

  /**
   * Returns the open session.
   * @throws if the connection has just closed
   */
  get session(): ClientHttp2Session {
    if (!this.#session) throw new Error("the connection is not open");
    return this.#session;
  }

  /** Reserves a stream. Returns false if the connection is full. `release` or the end of the stream frees the reservation. */
  reserve(): boolean {
    const session = this.#session;
    if (this.#state !== "open" || !session || session.closed || session.destroyed) return false;
    if (this.#streams >= allowedStreams(session)) return false;
    if (this.#streams++ === 0) session.ref();
    return true;
  }

  release(): void {
    // An unused connection does not keep the process running.
    if (--this.#streams === 0) this.#session?.unref();
    this.#events.streamsFreed();
  }

  /** Closes the session, the TLS socket and the TCP socket in any state. Open streams fail with the error. */
  destroy(error: Error): void {
    this.#session?.destroy(error);
    this.#close(error);
  }

  #secure(origin: URL, host: string, options: Http2TlsOptions): void {
    const servername = options.servername ?? (isIP(host) ? undefined : host);
    const session = options.resumption?.load();
    const tls = connectTls({
      ...options,
      // Without `host`, Node.js would verify the certificate for the name "localhost" if the server's address is an IP address.
      host,
      ...(servername !== undefined && { servername }),
      ...(session && { session }),
      socket: this.#tcp,
      ALPNProtocols: ["h2"],
    });
    this.#tls = tls;
    tls.on("session", (latest) => options.resumption?.store(latest));
    tls.once("error", (error: NodeJS.ErrnoException) => {
      if (this.#state === "connecting") options.resumption?.forget();
      if (error.code === "ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL") this.#refuse();
      else this.destroy(error);
    });
    this.#observe(tls);
    tls.once("secureConnect", () => {
      if (this.#state !== "connecting") return;
      if (tls.alpnProtocol === "h2") this.#start(origin, tls);
      else this.#refuse();
    });
  }

  #start(origin: URL, tls: TLSSocket): void {
    const session = connectHttp2(origin, {
      settings: { enablePush: false, initialWindowSize: streamWindowBytes },
      createConnection: () => tls,
    });
    this.#session = session;
    session.on("error", (error) => this.destroy(error));
    session.once("close", () => this.#close(new Error("the server closed the connection")));
    session.once("connect", () => {
      if (!session.destroyed) session.setLocalWindowSize(connectionWindowBytes);
    });
    session.on("remoteSettings", () => {
      if (this.#state === "open") this.#events.streamsFreed();
      else if (this.#state === "connecting" && !session.destroyed) this.#open(session);
    });
  }

  #open(session: ClientHttp2Session): void {
    if (allowedStreams(session) === 0) {
      this.destroy(new Error("the server allows no HTTP/2 streams"));
      return;
    }
    this.#limit[Symbol.dispose]();
    this.#state = "open";
    session.unref();
    session.setTimeout(this.#liveness.silentMs);
    session.on("timeout", () => {
      if (this.#streams === 0) session.close();
      else this.#destroyUnlessAlive(session);
    });
    this.#events.opened();
  }

  #refuse(): void {
    this.#state = "refused";
    this.#events.refused();
    this.destroy(new Error("the server speaks no HTTP/2"));
  }

  /**
   * Pings the server and destroys the connection if no response arrives. Node.js reports no error for an unreachable network, so
   * a reader would wait for minutes.
   */
  #destroyUnlessAlive(session: ClientHttp2Session): void {
    const { silentMs, pingTimeoutMs } = this.#liveness;
    const limit = startTimeLimit(pingTimeoutMs, () =>
      this.destroy(timeout("no response to a ping", pingTimeoutMs)),
    );
    const isSent = session.ping((error) => {
      limit[Symbol.dispose]();
      // Node.js does not count a ping as activity.
      if (!error) session.setTimeout(silentMs);
    });
    if (!isSent) limit[Symbol.dispose]();
  }

  #observe(socket: Socket): void {
    socket.on("error", (error) => {
      if (socket === this.#tcp) this.destroy(error);
    });
    socket.once("close", () => this.#close(new Error("the server closed the connection")));
  }

  #close(error: Error): void {
    this.#session?.destroy();
    this.#tls?.destroy();
    this.#tcp.destroy();
    if (this.#state === "closed") return;
    this.#limit[Symbol.dispose]();
    this.#state = "closed";
    this.#events.closed(error);
  }
}

function allowedStreams({ remoteSettings }: ClientHttp2Session): number {
  return Math.min(remoteSettings.maxConcurrentStreams ?? maxStreams, maxStreams);
}

export function timeout(what: string, ms: number): Error {
  return Object.assign(new Error(`${what} within ${ms} ms`), { name: "TimeoutError" });
}
