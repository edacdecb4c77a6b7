import { isAdminRequest } from "@keelson/auth";
import type { Clock, Histogram, Logger, Metrics } from "@keelson/base";
import { findAnyVersion } from "@keelson/model";
import type { Exchange } from "./exchange.ts";

/** How a request ended. */
export interface Outcome {
  readonly status: number;
  /** False when the caller was gone before the answer was. */
  readonly answered: boolean;
}

/** Writes the line and the figures that remain of each request: who asked for what, and what came of it. */
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

  /** `route` is the pattern that matched. */
  record(exchange: Exchange, route: string, { status, answered }: Outcome): void {
    const durationMs = this.#clock.monotonicMs() - exchange.startedMs;
    this.#durations?.observe(
      { verb: exchange.method, route, code: `${status}`, api_version: versionLabel(exchange.apiVersion) },
      durationMs / 1000,
    );
    if (!this.#logger.isLevelEnabled("info")) return;
    this.#logger.info(
      {
        logKind: "audit",
        correlationId: exchange.header("x-ms-correlation-request-id"),
        clientRequestId: exchange.header("x-ms-client-request-id"),
        requestId: exchange.requestId,
        caller: callerOf(exchange),
        userAgent: exchange.header("user-agent"),
        peer: exchange.peer,
        operation: `${exchange.method} ${route}`,
        target: exchange.path,
        apiVersion: exchange.apiVersion,
        audience: isAdminRequest(exchange) ? "admin" : "customer",
        status,
        result: resultOf(status, answered),
        code: exchange.failure,
        durationMs: Math.round(durationMs * 1000) / 1000,
      },
      "request served",
    );
  }
}

const statsdNames = { api_version: "api-version" };

type Labels = "verb" | "route" | "code" | "api_version";

/** Callers choose the text, so an unknown one gets no label of its own. */
function versionLabel(apiVersion: string): string {
  return apiVersion === "" || findAnyVersion(apiVersion) ? apiVersion : "other";
}

/** Administrators' tools name the caller in a header of its own. */
function callerOf(exchange: Exchange): string | undefined {
  const principal = exchange.header("x-ms-client-principal-name");
  if (isAdminRequest(exchange) && principal) return principal;
  const systemData = exchange.systemData();
  return systemData?.lastModifiedBy ?? systemData?.createdBy ?? principal;
}

function resultOf(status: number, answered: boolean): string {
  if (!answered) return "Abandoned";
  if (status < 400) return "Success";
  return status < 500 ? "UserError" : "InternalServerError";
}
