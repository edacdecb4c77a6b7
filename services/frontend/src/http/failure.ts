import { asCloudError, CloudError } from "@keelson/arm";
import { isCoded, type Logger, messageOf } from "@keelson/base";
import { isHttp2 } from "@keelson/http";
import { interrupted, unsupportedMediaType } from "./messages/request-body.ts";
import { errorResponse, sendResponse } from "./messages/response.ts";
import type { WebReply, WebRequest } from "./messages/web-server.ts";

/** Sends the error response of a failed request. Internal details are only logged. */
export function sendFailure(error: unknown, request: WebRequest, reply: WebReply, logger: Logger): WebReply {
  const { context } = request;
  const cloudError =
    refusalOfFramework(error, request) ??
    lackOfStore(error) ??
    interruption(error, context?.signal) ??
    asCloudError(error);
  context?.failedWith(cloudError.body.code);
  if (cloudError.status >= 500) {
    const { cause = cloudError } = cloudError;
    // Only selected properties of the error are logged, because errors of database drivers contain the SQL statement and its
    // values.
    const stack = cause instanceof Error ? cause.stack : undefined;
    logger.error({ requestId: context?.requestId, reason: messageOf(cause), stack }, "request failed");
  }
  const response = errorResponse(cloudError);
  if (!isHttp2(request.raw)) return sendResponse(reply, response);
  // If the body is unread, Fastify sets a header that closes the connection, but HTTP/2 does not support this header. This code
  // therefore closes the stream after the response, so that the rest of the body is not received.
  reply.removeHeader("connection");
  sendResponse(reply, response);
  if (!request.raw.complete) reply.raw.stream.close();
  return reply;
}

function refusalOfFramework(error: unknown, request: WebRequest): CloudError | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  if (error.code !== "FST_ERR_CTP_INVALID_MEDIA_TYPE") return undefined;
  return unsupportedMediaType(request.headers["content-type"]);
}

/**
 * Returns the error for a request that was interrupted by its time limit or by the stop of the service. Undefined if the request
 * was not interrupted.
 */
function interruption(error: unknown, signal: AbortSignal | undefined): CloudError | undefined {
  return signal?.aborted && !(error instanceof CloudError) ? interrupted(error) : undefined;
}

/**
 * Returns the error for an unavailable store, and undefined for other errors. The failure is temporary, so clients retry the
 * request automatically.
 */
function lackOfStore(error: unknown): CloudError | undefined {
  if (!isCoded(error, "StoreUnavailable")) return undefined;
  const message = "The service cannot reach its database at the moment. Please try again later.";
  return new CloudError("ServiceUnavailable", message, { cause: error });
}
