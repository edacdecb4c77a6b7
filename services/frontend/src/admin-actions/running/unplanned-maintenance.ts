import type { Clock, Gauge, Metrics } from "@keelson/base";

/** Who counts the signals takes a cluster for healthy after a few minutes without one. */
const repeatMs = 60_000;

/**
 * Reports to monitoring that administrators work on a cluster: now, and every minute until it is over.
 * Source: Azure/ARO-RP pkg/frontend/middleware/maintenance.go.
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

  /** Goes on until disposal. */
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
