import type { Clock, Logger } from "@keelson/base";

/** A completed request. */
export interface ServedRequest {
  readonly method: string;
  /** Pattern of its route. Absent without a route. */
  readonly route?: string;
  /** Without its query, of which parts may be secrets of a sign-in. */
  readonly path: string;
  readonly caller?: string;
  /** Owner of the sign-ins or sessions that the caller listed or ended. */
  readonly person?: string;
  /** Further fields of the audit line. */
  readonly audit: Readonly<Record<string, unknown>>;
  readonly status: number;
  readonly startedMs: number;
  readonly peer?: string;
  readonly userAgent?: string;
  readonly httpVersion: string;
  /** The code of its error. */
  readonly code?: string;
}

/** Writes the access log line of each request, and the audit line of each request with a route. */
export class RequestRecords {
  readonly #clock: Clock;
  readonly #logger: Logger;

  constructor(clock: Clock, logger: Logger) {
    this.#clock = clock;
    this.#logger = logger;
  }

  write(served: ServedRequest): void {
    const { method, route, path, caller, person, status, startedMs, peer, userAgent, httpVersion, code } =
      served;
    const durationMs = Math.round(this.#clock.monotonicMs() - startedMs);
    this.#logger.info(
      { logKind: "access", method, path, status, durationMs, peer, userAgent, httpVersion, code },
      "request served",
    );
    if (route === undefined) return;
    this.#logger.info(
      {
        ...served.audit,
        logKind: "audit",
        operation: `${method} ${route}`,
        caller,
        person,
        target: path,
        status,
        result: status < 400 ? "Success" : "Fail",
        code,
      },
      "request audited",
    );
  }
}
