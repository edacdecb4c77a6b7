import { constants } from "node:crypto";
import type { ServerResponse } from "node:http";
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type SecureServerOptions,
  type ServerHttp2Session,
} from "node:http2";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { KeyPair } from "@keelson/base";
import { verifyingClients } from "./client-authorities.ts";
import { keepAliveTimeoutMs } from "./close-http-server.ts";
import { InFlight } from "./in-flight.ts";
import { isHttp2 } from "./is-http2.ts";
import type { HttpLimitOptions, LimitedHttpServer, PeerAddress } from "./limited-http-server.ts";
import { listen, portOf } from "./listen.ts";
import { protectServer } from "./protect-server.ts";

/** HTTP/2 request. An HTTP/1.1 request has a different Node.js class with the same properties. */
export type ListenerRequest = Http2ServerRequest;
export type ListenerResponse = Http2ServerResponse;

export interface HttpsListenerOptions {
  readonly tls: KeyPair;
  readonly limits: HttpLimitOptions;
  /** Time limit for a TLS handshake and for receiving the request headers, in milliseconds. */
  readonly headersMs: number;
  /** Time limit for receiving a complete request, in milliseconds. 0 means no limit. */
  readonly requestMs: number;
  /**
   * CA certificates (PEM) that verify client certificates. The handler decides whether to accept unverified certificates.
   * Default: the listener requests no client certificates.
   */
  readonly clientAuthorities?: readonly string[] | undefined;
}

/** Maximum number of concurrent HTTP/2 streams per connection. Go's servers have the same limit (golang.org/x/net/http2). */
const maxConcurrentStreams = 250;

/** HTTPS server for HTTP/2 and HTTP/1.1 on one port. Disposal closes its connections. */
export class HttpsListener implements AsyncDisposable {
  readonly server: Http2SecureServer;
  readonly inFlight = new InFlight();
  #options: HttpsListenerOptions;
  readonly #connections: LimitedHttpServer;
  /** TCP connections, including those in a TLS handshake. */
  readonly #accepted = new Set<Socket>();
  readonly #sockets = new Set<TLSSocket>();
  readonly #sessions = new Set<ServerHttp2Session>();
  /** Last response of each HTTP/1.1 connection. A set of all active responses would have to be changed twice for each request. */
  readonly #lastResponses = new Map<Socket, ServerResponse>();
  /** Listener that all HTTP/1.1 responses share. A separate closure would stay in memory for the duration of each request. */
  readonly #closed = () => this.inFlight.leave();
  #isLeaving = false;

  constructor(
    options: HttpsListenerOptions,
    handle: (request: ListenerRequest, response: ListenerResponse) => void,
  ) {
    this.#options = options;
    this.server = this.#verifying(() =>
      createSecureServer(tlsOptions(options), (request, response) => {
        if (request.socket.destroyed) return;
        this.#track(request, response);
        handle(request, response);
      }),
    );
    this.#connections = protectServer(this.server, options.limits);
    this.server.on("connection", (socket: Socket) => {
      this.#accepted.add(socket);
      socket.once("close", () => this.#accepted.delete(socket));
    });
    this.server.on("secureConnection", (socket: TLSSocket) => {
      this.#sockets.add(socket);
      socket.once("close", () => {
        this.#sockets.delete(socket);
        this.#lastResponses.delete(socket);
      });
    });
    this.server.on("session", (session) => {
      this.#sessions.add(session);
      session.once("close", () => this.#sessions.delete(session));
      session.setTimeout(keepAliveTimeoutMs, () => session.close());
    });
  }

  get port(): number {
    return portOf(this.server);
  }

  /** Starts to listen. Rejects if the address is not available. */
  async listen(host: string, port: number): Promise<void> {
    await listen(this.server, host, port);
  }

  /** Stops counting the connection as unauthenticated, because one of its requests was authenticated. */
  authenticated(peer: PeerAddress): void {
    this.#connections.authenticated(peer);
  }

  /** Sets the serving certificate of new connections. */
  useCertificate(tls: KeyPair): void {
    this.#options = { ...this.#options, tls };
    this.#verifying(() => this.server.setSecureContext(tlsOptions(this.#options)));
  }

  /** Sets the CAs that verify client certificates of new connections. */
  useClientAuthorities(clientAuthorities: readonly string[]): void {
    this.#options = { ...this.#options, clientAuthorities };
    this.#verifying(() => this.server.setSecureContext(tlsOptions(this.#options)));
  }

  /** Closes the connections for which `isRefused` resolves to true. Their active requests are aborted. */
  async destroyConnectionsIf(isRefused: (socket: TLSSocket) => Promise<boolean>): Promise<number> {
    const decided = [...this.#sockets].map(async (socket) => ({ socket, refused: await isRefused(socket) }));
    const refused = (await Promise.all(decided)).filter((each) => each.refused);
    for (const { socket } of refused) socket.destroy();
    return refused.length;
  }

  /** Closes each connection after its next response. Clients then connect again, possibly to a different server. */
  leaveConnections(): void {
    this.#isLeaving = true;
    for (const response of this.#lastResponses.values()) endConnectionWith(response);
  }

  /**
   * Closes the port and idle connections. Resolves to true when all responses are complete, to false if `signal` aborts first.
   */
  async drain(signal: AbortSignal): Promise<boolean> {
    this.leaveConnections();
    this.server.close();
    for (const session of this.#sessions) session.close();
    return this.inFlight.idle(signal);
  }

  /** Closes all connections after the remaining bytes of complete responses have been sent. */
  flushConnections(): void {
    for (const socket of this.#sockets) socket.destroySoon();
  }

  /** Closes all connections immediately, including those in a handshake. */
  destroyConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
    for (const socket of this.#accepted) socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.destroyConnections();
    await closed;
  }

  #verifying<T>(make: () => T): T {
    return verifyingClients(this.#options.clientAuthorities ?? [], make);
  }

  #track(request: ListenerRequest, response: ListenerResponse): void {
    this.inFlight.enter();
    // Raises the listener limit by one. A single `pipeline` to a response adds nearly as many listeners as Node.js permits
    // without a leak warning.
    response.setMaxListeners(response.getMaxListeners() + 1);
    if (isHttp1(response)) {
      response.on("close", this.#closed);
      this.#lastResponses.set(request.socket, response);
      if (this.#isLeaving) endConnectionWith(response);
      return;
    }
    const { session } = request.stream;
    response.once("close", () => {
      this.inFlight.leave();
      // HTTP/2 has no response header that closes the connection, so the session is closed.
      if (this.#isLeaving) session?.close();
    });
  }
}

function isHttp1(response: ServerResponse | Http2ServerResponse): response is ServerResponse {
  return !isHttp2(response.req);
}

function endConnectionWith(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("connection", "close");
}

/**
 * Time limit in ms for a pause in a TLS handshake. Node.js does not extend it if the event loop is late. A shorter limit would reset
 * connections of clients after a delay. `protectServer` limits unauthenticated connections more strictly, without such resets.
 */
export const handshakeTimeoutMs = 60_000;

function tlsOptions(options: HttpsListenerOptions): SecureServerOptions {
  const { tls, headersMs, requestMs, clientAuthorities } = options;
  const http1Options = {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    connectionsCheckingInterval: 1_000,
  };
  return {
    cert: tls.certificatePem,
    key: tls.privateKeyPem,
    minVersion: "TLSv1.2",
    handshakeTimeout: handshakeTimeoutMs,
    ecdhCurve: "X25519:P-256",
    secureOptions: constants.SSL_OP_NO_TICKET,
    ...(clientAuthorities ? { requestCert: true, rejectUnauthorized: false } : {}),
    allowHTTP1: true,
    settings: { maxConcurrentStreams },
    http1Options,
  };
}
