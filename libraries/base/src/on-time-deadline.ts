import type { Clock } from "./clock.ts";

/** Maximum extension of a time limit through delays of the process, as a multiple of the limit. */
export const maxExtension = 9;

/**
 * Returns a function that returns true when `ms` milliseconds have passed since the call of `onTimeDeadline`. Delays of timers in
 * this process do not count. `maxLateMs` limits the total of these uncounted delays. Default: `maxExtension` times `ms`.
 */
export function onTimeDeadline(clock: Clock, ms: number, maxLateMs = maxExtension * ms): () => boolean {
  const startedMs = clock.monotonicMs();
  const lateAtStartMs = clock.lateMs?.() ?? 0;
  return () => {
    const lateMs = Math.min((clock.lateMs?.() ?? 0) - lateAtStartMs, maxLateMs);
    return clock.monotonicMs() - startedMs - lateMs >= ms;
  };
}

/**
 * Sleeps for `ms` milliseconds, plus the time by which timers of this process are delayed during the sleep. Rejects with the
 * signal's reason if the signal aborts first.
 */
export async function sleepOnTime(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  const isOver = onTimeDeadline(clock, ms);
  do await clock.sleep(ms, signal);
  while (!isOver());
}
