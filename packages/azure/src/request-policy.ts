import {
  type PipelinePolicy,
  type PipelineRequest,
  type PipelineResponse,
  RestError,
} from "@azure/core-rest-pipeline";
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
      const startedAt = performance.now();
      const response = await withinTime(request, timeoutMs, () => next(request));
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

/**
 * Sends with a time limit. `request.timeout` would do the same, but its timer goes on after the caller's abort and
 * keeps a process from its end.
 */
async function withinTime(
  request: PipelineRequest,
  timeoutMs: number,
  send: () => Promise<PipelineResponse>,
): Promise<PipelineResponse> {
  const { abortSignal } = request;
  const stop = new AbortController();
  const giveUp = () => stop.abort();
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    stop.abort();
  }, timeoutMs);
  if (abortSignal?.aborted) giveUp();
  abortSignal?.addEventListener("abort", giveUp);
  request.abortSignal = stop.signal;
  try {
    return await send();
  } catch (error) {
    // The SDKs report a time limit as an abort, which nobody would try again.
    if (!late || abortSignal?.aborted) throw error;
    const { host } = new URL(request.url);
    throw new RestError(`${host} did not answer within ${timeoutMs} ms`, { code: "ETIMEDOUT", request });
  } finally {
    clearTimeout(timer);
    abortSignal?.removeEventListener("abort", giveUp);
    if (abortSignal) request.abortSignal = abortSignal;
    else delete request.abortSignal;
  }
}
