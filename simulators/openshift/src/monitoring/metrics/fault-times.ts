import type { FaultInterval } from "../../faults/fault-registry.ts";

/**
 * Returns the total time in seconds during which faults were active before `ms`. The time of each fault is multiplied by the
 * fault's weight.
 */
export function faultSeconds(
  intervals: readonly FaultInterval[],
  ms: number,
  weight: (interval: FaultInterval) => number,
): number {
  return intervals.reduce((sum, interval) => {
    const endMs = Math.min(ms, interval.toMs ?? ms);
    return sum + (Math.max(0, endMs - interval.fromMs) / 1_000) * weight(interval);
  }, 0);
}
