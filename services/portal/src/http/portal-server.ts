import { constants } from "node:crypto";
import type { IncomingMessage } from "node:http";
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type SecureServerOptions,
  type ServerHttp2Session,
} from "node:http2";
import type { Duplex } from "node:stream";
import type { TLSSocket } from "node:tls";
import { aborted, type KeyPair } from "@keelson/base";
import {
  extendReceiveLimits,
  type HttpLimitOptions,
  keepAliveTimeoutMs,
  LimitedHttpServer,
  type PeerAddress,
} from "@keelson/http";

/** Over HTTP/1.1 these are Node's own, which have the same members. */
export type PortalRequest = Http2ServerRequest;
export type PortalResponse = Http2ServerResponse;

export interface PortalHandlers {
  readonly request: (request: PortalRequest, response: PortalResponse) => void;
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
}

/** Source: Azure/ARO-RP pkg/portal/portal.go. */
const readMs = 10_000;

const http1Limits = {
  headersTimeout: readMs,
  // Bodies stream for as long as a person types into a shell.
  requestTimeout: 0,
  keepAliveTimeout: keepAliveTimeoutMs,
  connectionsCheckingInterval: 1_000,
};

/** A listening HTTPS server, HTTP/2 and HTTP/1.1. Disposal ends its connections. */
export class PortalServer implements AsyncDisposable {
  readonly #server: Http2SecureServer;
  readonly #limited: LimitedHttpServer;
  readonly #sockets = new Set<TLSSocket>();
  readonly #sessions = new Set<ServerHttp2Session>();
  /** Answers that are not complete. */
  readonly #answering = new Set<PortalResponse>();
  readonly #isDrained = Promise.withResolvers<void>();
  #isDraining = false;

  constructor(tls: KeyPair, limits: HttpLimitOptions, { request, upgrade }: PortalHandlers) {
    this.#server = createSecureServer(tlsOptions(tls), (asked, response) => {
      this.#track(response);
      if (this.#isDraining && asked.httpVersionMajor < 2) response.setHeader("connection", "close");
      request(asked, response);
    });
    extendReceiveLimits(this.#server);
    this.#limited = new LimitedHttpServer(this.#server, limits);
    this.#server.on("upgrade", upgrade);
    this.#server.on("secureConnection", (socket: TLSSocket) => {
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
    });
    this.#server.on("session", (session) => {
      this.#sessions.add(session);
      session.once("close", () => this.#sessions.delete(session));
      session.setTimeout(keepAliveTimeoutMs, () => session.close());
    });
  }

  get port(): number {
    return Object(this.#server.address()).port;
  }

  /** Ends the limits for the connection of an authenticated request. */
  authenticated(peer: PeerAddress): void {
    this.#limited.authenticated(peer);
  }

  async listen(host: string, port: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject).listen(port, host, resolve);
    });
  }

  /** New connections get this certificate. */
  useCertificate(tls: KeyPair): void {
    this.#server.setSecureContext(tlsOptions(tls));
  }

  /** Takes no more connections, and resolves when all answers are complete or `signal` aborts. */
  async drain(signal: AbortSignal): Promise<void> {
    this.#isDraining = true;
    this.#server.close();
    for (const session of this.#sessions) session.close();
    if (this.#answering.size > 0 && !signal.aborted)
      await Promise.race([this.#isDrained.promise, aborted(signal)]);
  }

  #track(response: PortalResponse): void {
    this.#answering.add(response);
    response.once("close", () => {
      this.#answering.delete(response);
      if (this.#isDraining && this.#answering.size === 0) this.#isDrained.resolve();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}

function tlsOptions({ certificatePem, privateKeyPem }: KeyPair): SecureServerOptions {
  return {
    cert: certificatePem,
    key: privateKeyPem,
    minVersion: "TLSv1.2",
    ecdhCurve: "X25519:P-256",
    secureOptions: constants.SSL_OP_NO_TICKET,
    handshakeTimeout: readMs,
    allowHTTP1: true,
    settings: { maxConcurrentStreams: 250 },
    http1Options: http1Limits,
  };
}
