const leastMs = 100;
const mostMs = 1_000;
/** Maximum delay as a share of the time since the first poll. A poll uses CPU time of the client and of all services. */
const share = 1 / 8;

/** Returns the delay in milliseconds before the next poll of a condition that was first polled at `startedMs`. */
export function pollDelayMs(startedMs: number): number {
  return Math.min(mostMs, Math.max(leastMs, (performance.now() - startedMs) * share));
}
