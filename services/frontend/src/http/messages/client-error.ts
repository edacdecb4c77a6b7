import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { CloudError } from "@keelson/arm";
import { renderJson } from "./render-json.ts";

/**
 * Sends an error response in the usual format on a connection without a valid HTTP/1.1 request. Then closes the connection,
 * because the service cannot find the start of the next request.
 */
export function sendClientError(error: Error & { readonly code?: string }, socket: Duplex): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  if (socket.writable) socket.write(responseTo(error.code));
  socket.destroy(error);
}

function responseTo(code: string | undefined): string {
  // Node.js rejects unknown methods before the router receives the request.
  if (code === "HPE_INVALID_METHOD") return response(405, "");
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return failure(408, "The request did not arrive in time.");
  if (code === "HPE_HEADER_OVERFLOW") return failure(431, "The headers of the request are too large.");
  return failure(400, "The request is not valid HTTP.");
}

function failure(status: number, message: string): string {
  const { body } = new CloudError("InvalidRequestContent", message);
  return response(status, renderJson({ error: body }));
}

function response(status: number, body: string): string {
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
    "",
    body,
  ].join("\r\n");
}
