import type { Clock } from "./clock.ts";

/** Returns a function that is true once `ms` have passed since this call in which timers were on time. Lateness extends `ms` tenfold at most. */
export function onTimeDeadline(clock: Clock, ms: number): () => boolean {
  const startedMs = clock.monotonicMs();
  const lateAtStartMs = clock.lateMs?.() ?? 0;
  return () => {
    const lateMs = Math.min((clock.lateMs?.() ?? 0) - lateAtStartMs, 9 * ms);
    return clock.monotonicMs() - startedMs - lateMs >= ms;
  };
}
