import type { FaultInterval } from "../../faults/fault-registry.ts";

/** For how many seconds before `ms` one of the faults was in force, each counted with its own weight. */
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
