import type { Clock, MetricJson } from "@keelson/base";
import type { FromWorker, ToWorker } from "./worker-messages.ts";

/** A process that does not respond within this time is left out of the metrics. */
const responseMs = 5_000;

/** Requests the metrics of one process. */
export class WorkerMetrics {
  readonly #clock: Clock;
  readonly #waiting = new Map<number, (metrics: readonly MetricJson[] | undefined) => void>();
  #lastId = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns undefined for a process that is not running or does not respond. `post` sends the request. */
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
