import type { Http2SecureServer } from "node:http2";
import type { Server as HttpsServer } from "node:https";
import { type HttpLimitOptions, LimitedHttpServer } from "./limited-http-server.ts";
import { bufferPipelinedRequests } from "./pipelined-requests.ts";
import { extendReceiveLimits } from "./receive-limits.ts";

/**
 * Protects a server that clients without credentials reach. Pipelined requests wait, a late event loop extends the
 * limits for receiving requests, and unauthenticated connections are limited. A request with a destroyed socket exceeded
 * a limit and needs no response.
 */
export function protectServer(
  server: HttpsServer | Http2SecureServer,
  limits: HttpLimitOptions,
): LimitedHttpServer {
  bufferPipelinedRequests(server);
  extendReceiveLimits(server);
  return new LimitedHttpServer(server, limits);
}
