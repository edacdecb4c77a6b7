import type { PipelinePolicy, PipelineRequest, PipelineResponse } from "@azure/core-rest-pipeline";
import { type Logger, startTimeLimit, Tracing } from "@keelson/base";
import { restPipeline } from "./sdks.ts";

export interface RequestPolicyOptions {
  /**
   * Awaited before every try of every request, whose signal it gets: rejects to forbid it, as for a worker that lost its
   * lease, or takes its time, as a limit of the rate does.
   */
  readonly beforeRequest?: (signal?: AbortSignal) => void | Promise<void>;
  readonly correlationId?: string | undefined;
  readonly logger: Logger;
  /** Each attempt is a span of the current trace; Azure gets its `traceparent`. */
  readonly tracing?: Tracing;
  /** Hears of every try that ended. */
  readonly onRequest?: (event: AzureRequestEvent) => void;
  /** How long one try may take, its connection included; 60,000 when absent. */
  readonly timeoutMs?: number;
}

export interface AzureRequestEvent {
  /** The provider that was asked, for example `microsoft.compute`; where the path names none the host, without an account's name. */
  readonly client: string;
  /** HTTP status; the error's code or name where there was no answer. */
  readonly code: string;
  readonly durationMs: number;
}

/** ARM answers, or says that it goes on later, within a minute: a connection silent for longer is lost. */
const defaultTimeoutMs = 60_000;

/**
 * Stands around every single try of a request: asks `beforeRequest`, stamps the correlation ID, limits the time
 * and logs method, path, status and duration. The query is not logged: operation URLs carry signatures.
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

/** The last provider that a path names: the type of what is asked for. */
function clientOf(pathname: string, host: string): string {
  const [, provider] = /^.*\/providers\/([\w.]+)(?:\/|$)/i.exec(pathname) ?? [];
  return (provider ?? withoutAccount(host)).toLowerCase();
}

/** Accounts and vaults have hosts of their own, of which each cluster brings some: too many for a label of figures. */
function withoutAccount(host: string): string {
  return /^[^.]+\.((?:[^.]+\.){2,}[a-z]+)$/i.exec(host)?.[1] ?? host;
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
    // The SDKs report a time limit as an abort, which nobody would try again.
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
