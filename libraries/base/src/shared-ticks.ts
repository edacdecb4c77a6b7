/**
 * Returns a wait in ms, extended to the next multiple of `tickMs` on the monotonic clock. Many waits then end at the same time.
 * Each wake-up of an idle process takes about 0.1 ms.
 */
export function untilSharedTick(waitMs: number, tickMs: number, nowMs = performance.now()): number {
  const endMs = nowMs + waitMs;
  const pastTickMs = endMs % tickMs;
  // Timers may fire up to a millisecond early.
  return pastTickMs < 1 ? waitMs : waitMs + tickMs - pastTickMs;
}
