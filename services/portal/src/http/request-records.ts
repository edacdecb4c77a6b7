import type { Clock, Logger } from "@keelson/base";

/** Completed request for the log and the audit. */
export interface ServedRequest {
  readonly method: string;
  /** Path pattern of the route. Undefined if no route matched. */
  readonly route?: string | undefined;
  /** Request path without its query string, which may contain secrets of a sign-in. */
  readonly path: string;
  readonly caller?: string | undefined;
  /** Person to whom the listed or ended sign-ins or sessions belong. */
  readonly person?: string | undefined;
  /** Additional fields for the audit line. */
  readonly audit: Readonly<Record<string, unknown>>;
  readonly status: number;
  readonly startedMs: number;
  readonly peer?: string | undefined;
  readonly userAgent?: string;
  readonly httpVersion: string;
  /** Error code of the response. */
  readonly code?: string | undefined;
}

/** Writes an access log line for each request. Writes an audit line for each request with a route. */
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
