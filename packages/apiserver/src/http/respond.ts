import type { ServerResponse } from "node:http";
import { type Logger, messageOf } from "@keelson/base";
import { PatchError } from "../patch/index.ts";
import { failures, StatusError } from "../status/status-error.ts";

const newline = Buffer.from("\n");

/** Sends bytes that are one whole document; JSON gets its final line break. */
export function send(
  response: ServerResponse,
  code: number,
  contentType: string,
  body: Buffer,
  headers: Readonly<Record<string, string>> = {},
): void {
  const ending = contentType.startsWith("application/json") ? newline : Buffer.alloc(0);
  response.writeHead(code, {
    "content-type": contentType,
    "cache-control": "no-cache, private",
    "content-length": body.length + ending.length,
    ...headers,
  });
  response.end(ending.length > 0 ? Buffer.concat([body, ending]) : body);
}

export function sendJson(response: ServerResponse, code: number, value: object): void {
  send(response, code, "application/json", Buffer.from(JSON.stringify(value)));
}

export function sendText(response: ServerResponse, code: number, text: string): void {
  send(response, code, "text/plain; charset=utf-8", Buffer.from(text), {
    "x-content-type-options": "nosniff",
  });
}

/** Sends a failure as a Status. What is not an expected failure is logged and told as an internal error. */
export function sendError(response: ServerResponse, error: unknown, logger: Logger): void {
  const failure = toStatusError(error);
  if (failure.code === 500) logger.error({ error: messageOf(failure.cause ?? error) }, "request failed");
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const headers: Record<string, string> = {};
  if (failure.details?.retryAfterSeconds) headers["retry-after"] = String(failure.details.retryAfterSeconds);
  // The rest of a body that nobody reads must not be taken for the next request.
  if (!response.req.complete) headers.connection = "close";
  send(response, failure.code, "application/json", Buffer.from(JSON.stringify(failure.toStatus())), headers);
}

function toStatusError(error: unknown): StatusError {
  if (error instanceof StatusError) return error;
  if (error instanceof PatchError) {
    const reasons = {
      400: "BadRequest",
      413: "RequestEntityTooLarge",
      415: "UnsupportedMediaType",
      422: "Invalid",
    };
    return new StatusError(error.status, reasons[error.status], error.message);
  }
  return failures.internal(error);
}
