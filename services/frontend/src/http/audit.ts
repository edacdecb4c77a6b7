import { isAdminRequest } from "@keelson/auth";
import type { Clock, Histogram, Logger, Metrics } from "@keelson/base";
import { findAnyVersion } from "@keelson/model";
import { principalHeader, type RequestContext } from "./messages/request-context.ts";

/** Result of a request, as recorded in the audit. */
export interface Outcome {
  readonly status: number;
  /** False if the caller disconnected before the response was complete. */
  readonly answered: boolean;
}

/** Writes an audit line and metrics for each request. Both contain the caller, the target and the result. */
export class Audit {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #durations: Histogram<Labels> | undefined;

  constructor(options: { clock: Clock; logger: Logger; metrics: Metrics | undefined }) {
    this.#clock = options.clock;
    this.#logger = options.logger;
    this.#durations = options.metrics?.histogram<Labels>(
      {
        name: "frontend_request_duration_seconds",
        help: "Requests to the ARM API by duration",
        labels: ["verb", "route", "code", "api_version"],
        emits: [
          { metric: "frontend.count", value: "one", dimensions: statsdNames },
          { metric: "frontend.duration", value: "milliseconds", dimensions: statsdNames },
        ],
      },
      [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60],
    );
  }

  /** Records one request. `route` is the pattern that matches its path. */
  record(request: RequestContext, route: string, { status, answered }: Outcome): void {
    const durationMs = this.#clock.monotonicMs() - request.startedMs;
    this.#durations?.observe(
      { verb: request.method, route, code: `${status}`, api_version: versionLabel(request.apiVersion) },
      durationMs / 1000,
    );
    if (!this.#logger.isLevelEnabled("info")) return;
    this.#logger.info(
      {
        logKind: "audit",
        correlationId: request.header("x-ms-correlation-request-id"),
        clientRequestId: request.header("x-ms-client-request-id"),
        requestId: request.requestId,
        caller: callerOf(request),
        subject: request.subject,
        userAgent: request.header("user-agent"),
        peer: request.peer,
        operation: `${request.method} ${route}`,
        target: request.path,
        apiVersion: request.apiVersion,
        audience: isAdminRequest(request) ? "admin" : "customer",
        role: request.role,
        reason: isAdminRequest(request) ? request.reason : undefined,
        status,
        result: resultOf(status, answered),
        code: request.failure,
        durationMs: Math.round(durationMs * 1000) / 1000,
      },
      "request served",
    );
  }
}

const statsdNames = { api_version: "api-version" };

type Labels = "verb" | "route" | "code" | "api_version";

/**
 * Returns the label for the API version in metrics. All unknown versions get the same label, because callers can send any string.
 */
function versionLabel(apiVersion: string): string {
  return apiVersion === "" || findAnyVersion(apiVersion) ? apiVersion : "other";
}

/**
 * Returns the person for whom a trusted tool or Azure Resource Manager sends the request. Default: the subject of the
 * administrator's token.
 */
function callerOf(request: RequestContext): string | undefined {
  const principal = request.header(principalHeader);
  if (isAdminRequest(request) && principal) return principal;
  const systemData = request.systemData();
  const named = systemData?.lastModifiedBy ?? systemData?.createdBy ?? principal;
  return named ?? (isAdminRequest(request) ? request.subject : undefined);
}

function resultOf(status: number, answered: boolean): string {
  if (!answered) return "Abandoned";
  if (status < 400) return "Success";
  return status < 500 ? "UserError" : "InternalServerError";
}
