import type { ServerResponse } from "node:http";
import { gzip } from "node:zlib";
import { failures, PatchError, StatusError } from "@keelson/apimachinery";
import { exactJson, type Logger, messageOf, startTimeLimit, WorkBudgetExceeded } from "@keelson/base";
import { acceptsGzip } from "@keelson/http";
import { encodeValue } from "./encode-value.ts";
import { endInSlices } from "./end-in-slices.ts";
import { indentJson, maxPrettyBytes, wantsPretty } from "./pretty-json.ts";

const newline = Buffer.from("\n");

/** Time in milliseconds for a client to finish sending a rejected body. */
const lingerMs = 2_000;
/** Minimum response size for compression in bytes, as in kube-apiserver. */
const minGzipBytes = 131_072;
/** Cache of compressed documents, because some documents are sent repeatedly. */
const compressed = new WeakMap<Buffer, Buffer>();

/** Sends a complete document. Large documents are compressed. JSON ends with a line break. */
export function send(
  response: ServerResponse,
  code: number,
  contentType: string,
  document: Buffer,
  headers: Readonly<Record<string, string>> = {},
): void {
  const isJson = contentType.startsWith("application/json");
  const isPretty = isJson && document.length <= maxPrettyBytes && wantsPretty(response.req);
  const body = isPretty ? indentJson(document) : document;
  // An indented document does not end with a line break, as in kube-apiserver.
  const ending = isJson && !isPretty ? newline : Buffer.alloc(0);
  if (body.length >= minGzipBytes && acceptsGzip(String(response.req.headers["accept-encoding"] ?? ""))) {
    sendCompressed(response, code, contentType, body, ending, headers);
    return;
  }
  response.writeHead(code, {
    "content-type": contentType,
    "cache-control": "no-cache, private",
    "content-length": body.length + ending.length,
    ...headers,
  });
  void endInSlices(response, ending.length > 0 ? Buffer.concat([body, ending]) : body);
}

function sendCompressed(
  response: ServerResponse,
  code: number,
  contentType: string,
  body: Buffer,
  ending: Buffer,
  headers: Readonly<Record<string, string>>,
): void {
  const sendBytes = (bytes: Buffer): void => {
    if (response.destroyed) return;
    response.writeHead(code, {
      "content-type": contentType,
      "cache-control": "no-cache, private",
      "content-encoding": "gzip",
      "content-length": bytes.length,
      ...headers,
      vary: headers.vary ? `${headers.vary}, Accept-Encoding` : "Accept-Encoding",
    });
    void endInSlices(response, bytes);
  };
  const known = compressed.get(body);
  if (known) {
    sendBytes(known);
    return;
  }
  // The fastest compression level reduces the transfer time at a low CPU cost.
  gzip(ending.length > 0 ? Buffer.concat([body, ending]) : body, { level: 1 }, (error, bytes) => {
    if (error) response.destroy(error);
    else {
      if (headers.etag) compressed.set(body, bytes);
      sendBytes(bytes);
    }
  });
}

export function sendJson(response: ServerResponse, code: number, value: object): void {
  send(response, code, "application/json", Buffer.from(exactJson(value)));
}

/** Sends a value in the client's preferred media type. */
export function sendValue(response: ServerResponse, code: number, value: object): void {
  const { contentType, body } = encodeValue(response.req.headers.accept, value);
  send(response, code, contentType, body);
}

export function sendText(response: ServerResponse, code: number, text: string): void {
  send(response, code, "text/plain; charset=utf-8", Buffer.from(text), {
    "x-content-type-options": "nosniff",
  });
}

/** Sends an error as a Status. Unexpected errors are logged and become internal errors. */
export function sendError(response: ServerResponse, error: unknown, logger: Logger): void {
  const failure = toStatusError(error);
  if (failure.code === 500) logger.error({ error: messageOf(failure.cause ?? error) }, "request failed");
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const headers: Record<string, string> = {};
  if (failure.details?.retryAfterSeconds) headers["retry-after"] = String(failure.details.retryAfterSeconds);
  const { contentType, body } = encodeValue(response.req.headers.accept, failure.toStatus());
  if (!response.req.complete) sendBeforeBody(response, failure.code, contentType, body, headers);
  else send(response, failure.code, contentType, body, headers);
}

/**
 * Responds before the request body is complete and discards body data for a short time. Closing a socket with unread data would
 * reset the connection, so the client would lose the response. The rest of the body is never parsed as a request.
 */
function sendBeforeBody(
  response: ServerResponse,
  code: number,
  contentType: string,
  body: Buffer,
  headers: Readonly<Record<string, string>>,
): void {
  const { req } = response;
  response.writeHead(code, {
    "content-type": contentType,
    "content-length": body.length,
    ...headers,
    // The connection of an HTTP/2 request stays open, because the unread body affects only the request's stream.
    ...(req.httpVersionMajor === 1 ? { connection: "close" } : {}),
  });
  response.write(body);
  const end = () => {
    limit[Symbol.dispose]();
    response.end();
  };
  const limit = startTimeLimit(lingerMs, end);
  req.once("end", end).once("close", end).resume();
}

function toStatusError(error: unknown): StatusError {
  if (error instanceof StatusError) return error;
  if (error instanceof WorkBudgetExceeded) {
    return new StatusError(413, "RequestEntityTooLarge", `Request entity too large: ${error.message}`);
  }
  if (error instanceof PatchError) {
    const reasons = {
      400: "BadRequest",
      413: "RequestEntityTooLarge",
      415: "UnsupportedMediaType",
      422: "Invalid",
      // kube-apiserver returns errors with status 500 without a reason.
      500: "",
    };
    return new StatusError(error.status, reasons[error.status], error.message);
  }
  return failures.internal(error);
}
