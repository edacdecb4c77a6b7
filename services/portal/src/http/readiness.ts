import type { Clock, Metrics } from "@keelson/base";

const beatMs = 60_000;

export interface ReadinessOptions {
  /** Resolves if the database responds. */
  readonly ping: () => Promise<void>;
  readonly isStopping: () => boolean;
}

/** True if the portal can serve: its database responds, and the portal is not stopping. */
export async function isPortalReady({ ping, isStopping }: ReadinessOptions): Promise<boolean> {
  if (isStopping()) return false;
  return ping().then(
    () => !isStopping(),
    () => false,
  );
}

/** Reports once a minute while the portal is ready, until the signal aborts. */
export async function beat(
  { metrics, clock, ...readiness }: ReadinessOptions & { readonly metrics: Metrics; readonly clock: Clock },
  signal: AbortSignal,
): Promise<void> {
  const heartbeat = metrics.gauge({
    name: "portal_heartbeat",
    help: "1 while the portal is ready.",
    emits: [{ metric: "portal.heartbeat", value: "observed" }],
  });
  while (!signal.aborted) {
    if (await isPortalReady(readiness)) heartbeat.set(1);
    else heartbeat.remove({});
    await clock.sleep(beatMs, signal).catch(() => undefined);
  }
}
