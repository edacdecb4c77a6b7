import type { Http2SecureServer } from "node:http2";
import type { Server as HttpsServer } from "node:https";
import { type HttpLimitOptions, LimitedHttpServer } from "./limited-http-server.ts";
import { bufferPipelinedRequests } from "./pipelined-requests.ts";
import { extendReceiveLimits } from "./receive-limits.ts";

/**
 * Protects a server from unauthenticated clients. Delays pipelined requests and limits unauthenticated connections. Extends the
 * time limits for receiving requests if the event loop is late. If the protection has destroyed a request's socket, the request
 * needs no response.
 */
export function protectServer(
  server: HttpsServer | Http2SecureServer,
  limits: HttpLimitOptions,
): LimitedHttpServer {
  bufferPipelinedRequests(server);
  extendReceiveLimits(server);
  return new LimitedHttpServer(server, limits);
}
