import type { Clock, MetricJson } from "@keelson/base";
import type { FromWorker, ToWorker } from "./worker-messages.ts";

/** Time limit, in ms, for a process to return its metrics. The result omits slower processes. */
const responseMs = 5_000;

/** Collects the metrics of one process. */
export class WorkerMetrics {
  readonly #clock: Clock;
  readonly #waiting = new Map<number, (metrics: readonly MetricJson[] | undefined) => void>();
  #lastId = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Requests the metrics through `post`. Returns undefined if the process is not running or does not respond. */
  async read(post: (message: ToWorker) => boolean): Promise<readonly MetricJson[] | undefined> {
    const id = ++this.#lastId;
    if (!post({ kind: "metrics", id })) return undefined;
    const response = Promise.withResolvers<readonly MetricJson[] | undefined>();
    this.#waiting.set(id, response.resolve);
    const responded = new AbortController();
    void this.#clock.sleep(responseMs, responded.signal).then(
      () => response.resolve(undefined),
      () => undefined,
    );
    try {
      return await response.promise;
    } finally {
      responded.abort();
      this.#waiting.delete(id);
    }
  }

  receive({ id, metrics }: Extract<FromWorker, { kind: "metrics" }>): void {
    this.#waiting.get(id)?.(metrics);
  }
}
