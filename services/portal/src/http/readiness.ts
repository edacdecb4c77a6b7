import type { Clock, Metrics } from "@keelson/base";
import type { Readiness } from "@keelson/http";

const beatMs = 60_000;

export interface BeatOptions {
  readonly readiness: Pick<Readiness, "reads">;
  readonly metrics: Metrics;
  readonly clock: Clock;
}

/** Updates the heartbeat metric once a minute while the portal is ready. Stops when the signal aborts. */
export async function beat({ readiness, metrics, clock }: BeatOptions, signal: AbortSignal): Promise<void> {
  const heartbeat = metrics.gauge({
    name: "portal_heartbeat",
    help: "1 while the portal is ready.",
    emits: [{ metric: "portal.heartbeat", value: "observed" }],
  });
  while (!signal.aborted) {
    if ((await readiness.reads()) === undefined) heartbeat.set(1);
    else heartbeat.remove({});
    await clock.sleep(beatMs, signal).catch(() => undefined);
  }
}
