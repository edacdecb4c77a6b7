import type { PipelinePolicy, PipelineRequest, PipelineResponse } from "@azure/core-rest-pipeline";
import { type Logger, startTimeLimit, Tracing } from "@keelson/base";
import { restPipeline } from "./sdks.ts";

export interface RequestPolicyOptions {
  /**
   * Called with the request's signal and awaited before every attempt. It can reject to prevent the attempt, for example after a
   * lost lease. It can also delay the attempt to limit the request rate.
   */
  readonly beforeRequest?: (signal?: AbortSignal) => void | Promise<void>;
  readonly correlationId?: string | undefined;
  readonly logger: Logger;
  /** Creates a span below the current span for each attempt. The attempt's headers contain the span's `traceparent`. */
  readonly tracing?: Tracing;
  /** Called after every attempt. */
  readonly onRequest?: (event: AzureRequestEvent) => void;
  /** Time limit of an attempt in ms, including the connection. Default: 60,000 ms. */
  readonly timeoutMs?: number;
}

export interface AzureRequestEvent {
  /**
   * Resource provider in the request path, for example `microsoft.compute`. If the path contains no resource provider, the value
   * is the host without the account name.
   */
  readonly client: string;
  /** HTTP status. Without a response, the error's code or name. */
  readonly code: string;
  readonly durationMs: number;
}

/**
 * Default time limit of an attempt. ARM either responds within a minute, or accepts an asynchronous operation. If there is no
 * response in this time, the connection is assumed to be lost.
 */
const defaultTimeoutMs = 60_000;

/**
 * Returns the policy for every attempt of a request. It calls `beforeRequest`, sets the correlation ID, limits the time, and logs
 * method, path, status and duration. The query is not logged, because operation URLs contain signatures.
 */
export function requestPolicy(options: RequestPolicyOptions): PipelinePolicy {
  const { beforeRequest, correlationId, logger, timeoutMs = defaultTimeoutMs, onRequest } = options;
  const tracing = options.tracing ?? new Tracing();
  return {
    name: "keelsonRequestPolicy",
    async sendRequest(request, next) {
      const { abortSignal } = request;
      await beforeRequest?.(abortSignal instanceof AbortSignal ? abortSignal : undefined);
      if (correlationId) request.headers.set("x-ms-correlation-request-id", correlationId);
      const { pathname, host } = new URL(request.url);
      const span = tracing.start(`${request.method} ${host}`, {
        kind: "client",
        attributes: {
          "http.request.method": request.method,
          "server.address": host,
          "url.path": pathname,
        },
      });
      if (span) request.headers.set("traceparent", span.traceParent);
      const startedAt = performance.now();
      const ended = (code: string) =>
        onRequest?.({ client: clientOf(pathname, host), code, durationMs: performance.now() - startedAt });
      try {
        const response = await withinTime(request, timeoutMs, () => next(request));
        logger.debug(
          {
            method: request.method,
            path: pathname,
            status: response.status,
            durationMs: Math.round(performance.now() - startedAt),
            requestId: response.headers.get("x-ms-request-id"),
            correlationId,
          },
          "azure request",
        );
        span?.set({ "http.response.status_code": response.status });
        span?.end(response.status >= 500 ? new Error(`status ${response.status}`) : undefined);
        ended(`${response.status}`);
        return response;
      } catch (error) {
        span?.end(error);
        ended(restPipeline().isRestError(error) && error.code ? error.code : "error");
        throw error;
      }
    },
  };
}

/** Returns the last resource provider in a path. The last provider determines the resource type. */
function clientOf(pathname: string, host: string): string {
  const [, provider] = /^.*\/providers\/([\w.]+)(?:\/|$)/i.exec(pathname) ?? [];
  return (provider ?? withoutAccount(host)).toLowerCase();
}

/**
 * Removes the account name from a host. Each account or vault has a separate host. The complete host names would be too many
 * values for a metric label.
 */
function withoutAccount(host: string): string {
  return /^[^.]+\.((?:[^.]+\.){2,}[a-z]+)$/i.exec(host)?.[1] ?? host;
}

/**
 * Sends a request with a time limit. `request.timeout` is not used, because its timer continues after the caller aborts the
 * request, and delays the exit of the process.
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
  using _limit = startTimeLimit(timeoutMs, () => {
    late = true;
    stop.abort();
  });
  if (abortSignal?.aborted) giveUp();
  abortSignal?.addEventListener("abort", giveUp);
  request.abortSignal = stop.signal;
  try {
    return await send();
  } catch (error) {
    // The SDKs report a timeout as an abort, and aborts are not retried. The error of a timeout is therefore replaced.
    if (!late || abortSignal?.aborted) throw error;
    const { host } = new URL(request.url);
    const { RestError } = restPipeline();
    throw new RestError(`${host} did not answer within ${timeoutMs} ms`, { code: "ETIMEDOUT", request });
  } finally {
    abortSignal?.removeEventListener("abort", giveUp);
    if (abortSignal) request.abortSignal = abortSignal;
    else delete request.abortSignal;
  }
}
