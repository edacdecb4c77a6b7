import { constants } from "node:crypto";
import { METHODS } from "node:http";
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type SecureServerOptions,
} from "node:http2";
import type { TLSSocket } from "node:tls";
import { verifyingClients } from "@keelson/auth";
import type { KeyPair } from "@keelson/base";
import {
  bufferPipelinedRequests,
  extendReceiveLimits,
  type HttpLimitOptions,
  keepAliveTimeoutMs,
  LimitedHttpServer,
} from "@keelson/http";
import {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  type RouteGenericInterface,
} from "fastify";
import { answerClientError } from "./client-error.ts";
import { normaliseTarget } from "./normalised-path.ts";
import { receiveLimitMs } from "./request-body.ts";

export type WebServer = FastifyInstance<Http2SecureServer>;
export type WebRequest = FastifyRequest<RouteGenericInterface, Http2SecureServer>;
export type WebReply = FastifyReply<RouteGenericInterface, Http2SecureServer>;

const http1Limits = {
  // Bodies have a limit of their own, in `readBody`, that answers; this is for what is left of refused ones.
  requestTimeout: receiveLimitMs + 2_000,
  headersTimeout: receiveLimitMs,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: keepAliveTimeoutMs,
};

/** Requests at once on one connection, as Go's servers have it (golang.org/x/net/http2). */
const maxConcurrentStreams = 250;

/** Names and parameters are checked by rules with texts of their own; the router must not drop long ones before. */
const maxParameterLength = 65_536;

/** HTTP/2 lets any method through; the router knows the answer to these alone. */
const knownMethods: ReadonlySet<string> = new Set(METHODS);

/** The HTTPS server, and the connections it has, which a stop has to end. */
export interface ListeningParts {
  readonly app: WebServer;
  readonly sockets: ReadonlySet<TLSSocket>;
  /** Its limits for connections on which no request was authenticated. */
  readonly connections: LimitedHttpServer;
  /** New connections get this certificate. */
  useCertificate(tls: KeyPair): void;
  /** From now on each connection ends with the answer that is sent next, so that clients connect again, elsewhere. */
  leaveConnections(): void;
}

/**
 * HTTP/2 and HTTP/1.1 on one port. Asks callers for a certificate, verifies it against `authorityPems`, and leaves the
 * judgement to the authorizer.
 */
export function createWebServer(
  tls: KeyPair,
  limits: HttpLimitOptions,
  authorityPems: readonly string[] = [],
): ListeningParts {
  const sockets = new Set<TLSSocket>();
  const options = tlsOptions(tls);
  const app = fastify({
    http2: true,
    https: options,
    http2SessionTimeout: keepAliveTimeoutMs,
    serverFactory(handler) {
      const listener = (request: Http2ServerRequest, response: Http2ServerResponse) => {
        if (request.socket.destroyed) return;
        if (knownMethods.has(request.method)) handler(request, response);
        else response.writeHead(405, { "content-type": "application/json" }).end();
      };
      const server = verifyingClients(authorityPems, () => createSecureServer(options, listener));
      bufferPipelinedRequests(server);
      extendReceiveLimits(server);
      server.on("secureConnection", (socket: TLSSocket) => {
        sockets.add(socket);
        socket.once("close", () => sockets.delete(socket));
      });
      server.on("session", (session) => session.setTimeout(keepAliveTimeoutMs, () => session.close()));
      return server;
    },
    clientErrorHandler: answerClientError,
    rewriteUrl: (request) => normaliseTarget(request.url ?? "/"),
    routerOptions: { maxParamLength: maxParameterLength },
    exposeHeadRoutes: false,
    return503OnClosing: false,
  });
  let isLeaving = false;
  // Not asynchronous: answers to failed requests are followed by the end of their stream.
  app.addHook("onSend", ({ raw }, reply, payload, done) => {
    if (isLeaving && raw.httpVersionMajor === 1) reply.header("connection", "close");
    else if (isLeaving) raw.stream.session?.close();
    done(null, payload);
  });
  return {
    app,
    sockets,
    connections: new LimitedHttpServer(app.server, limits),
    leaveConnections: () => {
      isLeaving = true;
    },
    useCertificate: (pair) =>
      verifyingClients(authorityPems, () => app.server.setSecureContext(tlsOptions(pair))),
  };
}

function tlsOptions(tls: KeyPair): SecureServerOptions {
  return {
    cert: tls.certificatePem,
    key: tls.privateKeyPem,
    minVersion: "TLSv1.2",
    handshakeTimeout: receiveLimitMs,
    ecdhCurve: "X25519:P-256",
    secureOptions: constants.SSL_OP_NO_TICKET,
    requestCert: true,
    rejectUnauthorized: false,
    allowHTTP1: true,
    settings: { maxConcurrentStreams },
    http1Options: http1Limits,
  };
}
