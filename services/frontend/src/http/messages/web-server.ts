import { METHODS } from "node:http";
import type { Http2SecureServer, Http2ServerRequest, Http2ServerResponse } from "node:http2";
import {
  HttpsListener,
  type HttpsListenerOptions,
  keepAliveTimeoutMs,
  receiveFactor,
  withoutSchemas,
} from "@keelson/http";
import {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  type RouteGenericInterface,
} from "fastify";
import { sendClientError } from "./client-error.ts";
import { normaliseTarget } from "./normalised-path.ts";
import { receiveLimitMs } from "./request-body.ts";

export type WebServer = FastifyInstance<Http2SecureServer>;
export type WebRequest = FastifyRequest<RouteGenericInterface, Http2SecureServer>;
export type WebReply = FastifyReply<RouteGenericInterface, Http2SecureServer>;

/**
 * Maximum parameter length in the router. It is longer than every valid name, so that the parameter rules reject long names with
 * their own errors.
 */
const maxParameterLength = 65_536;

/** Methods that the router supports. Other methods can reach this code through HTTP/2, which accepts any method. */
const knownMethods: ReadonlySet<string> = new Set(METHODS);

export interface ListeningParts {
  readonly app: WebServer;
  readonly listener: HttpsListener;
}

/**
 * Creates the web server. The server requests client certificates during the TLS handshake, and the authorizer evaluates them
 * later.
 */
export function createWebServer(
  options: Pick<HttpsListenerOptions, "tls" | "limits" | "clientAuthorities">,
): ListeningParts {
  const handle = (request: Http2ServerRequest, response: Http2ServerResponse): void => {
    if (knownMethods.has(request.method)) handler?.(request, response);
    else response.writeHead(405, { "content-type": "application/json" }).end();
  };
  let handler: typeof handle | undefined;
  const listener = new HttpsListener(
    {
      ...options,
      clientAuthorities: options.clientAuthorities ?? [],
      headersMs: receiveLimitMs,
      // This timeout applies to bodies that the service rejects without reading them. For all other bodies, `readBody` limits the
      // time.
      requestMs: receiveFactor * receiveLimitMs + 2_000,
    },
    handle,
  );
  const app = fastify({
    http2: true,
    https: {},
    http2SessionTimeout: keepAliveTimeoutMs,
    serverFactory(serve) {
      handler = serve;
      return listener.server;
    },
    clientErrorHandler: sendClientError,
    rewriteUrl: (request) => normaliseTarget(request.url ?? "/"),
    routerOptions: { maxParamLength: maxParameterLength },
    exposeHeadRoutes: false,
    schemaController: withoutSchemas,
    return503OnClosing: false,
  });
  return { app, listener };
}
