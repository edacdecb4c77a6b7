/**
 * Lengthens a wait to the next multiple of `tickMs` on the monotonic clock, so that many waits end at the same time. Each wake-up of
 * an idle process costs about 0.1 ms.
 */
export function untilSharedTick(waitMs: number, tickMs: number, nowMs = performance.now()): number {
  const endMs = nowMs + waitMs;
  const pastTickMs = endMs % tickMs;
  // A timer may be early by less than a millisecond.
  return pastTickMs < 1 ? waitMs : waitMs + tickMs - pastTickMs;
}
