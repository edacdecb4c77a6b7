import { type PipelinePolicy, type PipelineRequest, RestError } from "@azure/core-rest-pipeline";
import type { Logger } from "@keelson/base";

export interface RequestPolicyOptions {
  readonly beforeRequest?: () => void;
  readonly correlationId?: string;
  readonly logger: Logger;
  /** How long one try may take, its connection included; 60,000 when absent. */
  readonly timeoutMs?: number;
}

/** ARM answers, or says that it goes on later, within a minute: a connection silent for longer is lost. */
const defaultTimeoutMs = 60_000;

/**
 * Stands around every single try of a request: asks `beforeRequest`, stamps the correlation ID, limits the time
 * and logs method, path, status and duration. The query is not logged: operation URLs carry signatures.
 */
export function requestPolicy(options: RequestPolicyOptions): PipelinePolicy {
  const { beforeRequest, correlationId, logger, timeoutMs = defaultTimeoutMs } = options;
  return {
    name: "keelsonRequestPolicy",
    async sendRequest(request, next) {
      beforeRequest?.();
      if (correlationId) request.headers.set("x-ms-correlation-request-id", correlationId);
      if (request.timeout === 0) request.timeout = timeoutMs;
      const startedAt = performance.now();
      const response = await next(request).catch((error: unknown) => {
        throw timedOut(error, request) ?? error;
      });
      logger.debug(
        {
          method: request.method,
          path: new URL(request.url).pathname,
          status: response.status,
          durationMs: Math.round(performance.now() - startedAt),
          requestId: response.headers.get("x-ms-request-id"),
          correlationId,
        },
        "azure request",
      );
      return response;
    },
  };
}

/** The SDKs report their own time limit as an abort, which nobody would try again. */
function timedOut(error: unknown, request: PipelineRequest): RestError | undefined {
  if (!(error instanceof Error) || error.name !== "AbortError" || request.abortSignal?.aborted)
    return undefined;
  const { host } = new URL(request.url);
  return new RestError(`${host} did not answer within ${request.timeout} ms`, { code: "ETIMEDOUT", request });
}
