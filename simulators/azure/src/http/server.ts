import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { type Clock, type KeyPair, type Logger, messageOf, withTimeout } from "@keelson/base";
import { handshakeTimeoutMs, keepAliveTimeoutMs, protectServer, withoutSchemas } from "@keelson/http";
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from "fastify";
import { ArmError } from "../arm/arm-error.ts";
import type { ArmResponse } from "../arm/exchange.ts";
import { recordingOf } from "../request-log/recording.ts";

/** Time limit in ms for a client to send the request headers. */
const headersTimeoutMs = 10_000;

/** Time limit in ms for receiving a complete request. The limit is sufficient for the largest blob uploads. */
const requestTimeoutMs = 3_600_000;

/** Maximum wait in ms for the rest of a request body after an early response. */
const remainderMs = 1_000;
const remainderBytes = 256 * 1024;

/**
 * Creates an HTTPS server that passes every request to `handle`. Errors become responses in ARM's format without a stack trace.
 * The result `undefined` means that `handle` has sent the response itself.
 */
export function createServer(
  tls: KeyPair,
  clock: Clock,
  logger: Logger,
  handle: (request: FastifyRequest, reply: FastifyReply) => Promise<ArmResponse | undefined>,
): FastifyInstance {
  const app = fastify({
    https: {
      key: tls.privateKeyPem,
      cert: tls.certificatePem,
      handshakeTimeout: handshakeTimeoutMs,
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: 1_000,
    },
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    forceCloseConnections: true,
    // `handle` parses paths, because the path patterns of the router cannot express ARM's rules. The router therefore receives
    // the same path for every request.
    rewriteUrl: () => "/",
    schemaController: withoutSchemas,
  });
  const connections = protectServer(app.server, { clock });
  // The handlers authenticate requests only after this hook. Here, a connection therefore counts as authenticated as soon as it
  // has sent the headers of a request.
  app.addHook("onRequest", ({ raw }, _reply, done) => {
    connections.authenticated(raw.socket);
    done();
  });
  // Bodies are not parsed here, because the handler authorizes a request before it reads the body.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, _payload, done) => done(null));
  app.addHook("onSend", async ({ raw }, reply) => {
    if (!(await endsSoon(raw))) reply.header("connection", "close");
  });
  app.setErrorHandler((error, request, reply) => send(reply, request, responseTo(error, request, logger)));
  app.route({
    method: ["GET", "HEAD", "PUT", "PATCH", "POST", "DELETE"],
    url: "/",
    exposeHeadRoute: false,
    async handler(request, reply) {
      // Logs and responses contain the same correlation ID.
      request.headers["x-ms-correlation-request-id"] = correlationIdOf(request) ?? randomUUID();
      const response = await handle(request, reply);
      if (response) send(reply, request, response);
      return reply;
    },
  });
  app.setNotFoundHandler((request, reply) => {
    const error = new ArmError(
      405,
      "HttpMethodNotAllowed",
      `The request method '${request.method}' is not supported.`,
    );
    send(reply, request, { status: 405, body: error.body() });
  });
  return app;
}

/** True if the request body is complete, or if the rest of the body is so small that the connection can stay open. */
async function endsSoon(request: IncomingMessage): Promise<boolean> {
  if (request.complete || request.destroyed) return true;
  const enough = new AbortController();
  let left = remainderBytes;
  request.on("data", ({ length }: Buffer) => {
    left -= length;
    if (left < 0) enough.abort();
  });
  request.resume();
  const signal = withTimeout(enough.signal, remainderMs);
  await once(request, "end", { signal }).catch(() => request.pause());
  return request.complete;
}

function responseTo(error: unknown, request: FastifyRequest, logger: Logger): ArmResponse {
  if (error instanceof ArmError) return { status: error.status, body: error.body(), headers: error.headers };
  const known = error instanceof Error && "code" in error ? fastifyErrors[String(error.code)] : undefined;
  if (known) {
    const [status, code, message] = known;
    return { status, body: new ArmError(status, code, message).body() };
  }
  // If the client has aborted the request, the failure is not a server error.
  if (request.raw.destroyed && !request.raw.complete) {
    logger.debug({ method: request.method, error: messageOf(error) }, "request was not ended by its client");
  } else {
    const correlationId = correlationIdOf(request);
    const stack = error instanceof Error ? error.stack : "";
    logger.error({ method: request.method, correlationId, error: messageOf(error), stack }, "request failed");
  }
  return {
    status: 500,
    body: new ArmError(500, "InternalServerError", "Encountered internal server error.").body(),
  };
}

const fastifyErrors: Readonly<Record<string, readonly [status: number, code: string, message: string]>> = {
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    400,
    "InvalidRequestContent",
    "The content length does not match the header.",
  ],
};

function send(reply: FastifyReply, request: FastifyRequest, response: ArmResponse): void {
  const isGraph = response.service === "graph";
  const headers = isGraph ? graphHeaders(request) : armHeaders(request);
  reply.code(response.status).headers({ ...headers, ...response.headers });
  if (response.text !== undefined) reply.header("content-type", "application/json");
  else if (response.body !== undefined)
    reply.header("content-type", isGraph ? graphContentType : "application/json; charset=utf-8");
  recordingOf(request.raw)?.response(reply.getHeaders(), response.body);
  const text = response.text ?? (response.body === undefined ? undefined : JSON.stringify(response.body));
  if (text === undefined) reply.send();
  // The body is sent as a buffer. For a string, Fastify would add a charset to the content type.
  else reply.send(Buffer.from(text));
}

function armHeaders(request: FastifyRequest): Record<string, string> {
  const requestId = randomUUID();
  return {
    "cache-control": "no-cache",
    pragma: "no-cache",
    expires: "-1",
    "strict-transport-security": "max-age=31536000; includeSubDomains",
    "x-content-type-options": "nosniff",
    "x-ms-request-id": requestId,
    "x-ms-routing-request-id": `LOCAL:${requestId}`,
    "x-ms-correlation-request-id": correlationIdOf(request) ?? requestId,
    ...usualLimit(request.method),
    ...clientRequestId(request),
  };
}

const graphContentType =
  "application/json;odata.metadata=minimal;odata.streaming=true;IEEE754Compatible=false;charset=utf-8";

function graphHeaders({ headers }: FastifyRequest): Record<string, string> {
  const requestId = randomUUID();
  const given = headers["client-request-id"];
  const clientRequestId = typeof given === "string" && /^[\w-]{1,64}$/.test(given) ? given : requestId;
  return {
    "cache-control": "no-cache",
    vary: "Accept-Encoding",
    "strict-transport-security": "max-age=31536000",
    "request-id": requestId,
    "client-request-id": clientRequestId,
    "x-ms-ags-diagnostic": JSON.stringify({ ServerInfo: { DataCenter: "LOCAL", Slice: "E", Ring: "1" } }),
    "x-ms-resource-unit": "1",
    "odata-version": "4.0",
  };
}

function correlationIdOf({ headers }: FastifyRequest): string | undefined {
  const given = headers["x-ms-correlation-request-id"];
  return typeof given === "string" && /^[\w-]{1,64}$/.test(given) ? given : undefined;
}

/**
 * Returns the headers with the number of remaining requests. The number is Azure's hourly limit minus this request, unless the
 * settings define a different limit.
 */
function usualLimit(method: string): Record<string, string> {
  const [kind, left] =
    method === "GET" || method === "HEAD"
      ? ["reads", "11999"]
      : method === "DELETE"
        ? ["deletes", "14999"]
        : ["writes", "1199"];
  return { [`x-ms-ratelimit-remaining-subscription-${kind}`]: left };
}

/** Returns the header with the client's request ID, if the client asks for this header. */
function clientRequestId(request: FastifyRequest): Record<string, string> {
  const id = request.headers["x-ms-client-request-id"];
  const wanted = request.headers["x-ms-return-client-request-id"] === "true";
  return wanted && typeof id === "string" && /^[\w-]{1,64}$/.test(id) ? { "x-ms-client-request-id": id } : {};
}
