import type { IncomingMessage } from "node:http";
import type { Http2ServerRequest } from "node:http2";

/**
 * True for a request of an HTTP/2 connection. Do not use `httpVersionMajor` instead: on HTTP/1.1 connections, clients can send
 * request lines with version 2.0 or 0.9.
 */
export function isHttp2(request: IncomingMessage | Http2ServerRequest): request is Http2ServerRequest {
  return "stream" in request;
}
