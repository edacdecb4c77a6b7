import type { PipelinePolicy } from "@azure/core-rest-pipeline";
import type { Logger } from "@keelson/base";

export interface RequestPolicyOptions {
  readonly beforeRequest?: () => void;
  readonly correlationId?: string;
  readonly logger: Logger;
}

/** ARM answers, or says that it goes on later, within 60 s; a connection silent for longer is lost. */
const timeoutMs = 60_000;

/**
 * Stands around every single try of a request: asks `beforeRequest`, stamps the correlation ID, limits the time
 * and logs method, path, status and duration. The query is not logged: operation URLs carry signatures.
 */
export function requestPolicy({
  beforeRequest,
  correlationId,
  logger,
}: RequestPolicyOptions): PipelinePolicy {
  return {
    name: "keelsonRequestPolicy",
    async sendRequest(request, next) {
      beforeRequest?.();
      if (correlationId) request.headers.set("x-ms-correlation-request-id", correlationId);
      if (request.timeout === 0) request.timeout = timeoutMs;
      const startedAt = performance.now();
      const response = await next(request);
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
