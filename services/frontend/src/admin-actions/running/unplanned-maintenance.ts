import type { Clock, Gauge, Metrics } from "@keelson/base";

/** Interval between signals in ms. If monitoring receives no signal for a few minutes, it treats the cluster as healthy again. */
const repeatMs = 60_000;

/**
 * Signals to monitoring that administrators are changing a cluster. The signal is sent immediately and then every minute. Source:
 * Azure/ARO-RP pkg/frontend/middleware/maintenance.go.
 */
export class UnplannedMaintenance {
  readonly #clock: Clock;
  readonly #gauge: Gauge<"resourceId"> | undefined;

  constructor(clock: Clock, metrics: Metrics | undefined) {
    this.#clock = clock;
    this.#gauge = metrics?.gauge({
      name: "frontend_maintenance_unplanned",
      help: "1 while an administrator's unplanned action changes the cluster.",
      labels: ["resourceId"],
      emits: [{ metric: "frontend.maintenance.unplanned", value: "one" }],
    });
  }

  /** Sends the signal repeatedly until disposal. */
  begin(resourceId: string): Disposable {
    const over = new AbortController();
    void this.#repeat(resourceId, over.signal);
    return {
      [Symbol.dispose]: () => {
        over.abort();
        this.#gauge?.remove({ resourceId });
      },
    };
  }

  async #repeat(resourceId: string, over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      this.#gauge?.set(1, { resourceId });
      await this.#clock.sleep(repeatMs, over).catch(() => undefined);
    }
  }
}
