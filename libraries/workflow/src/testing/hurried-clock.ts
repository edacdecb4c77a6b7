import type { Clock } from "@keelson/base";

/** Returns a clock that completes each sleep immediately and advances its time. */
export function hurriedClock(): Clock & { readonly slept: number[] } {
  let nowMs = Date.parse("2026-01-01T00:00:00Z");
  const slept: number[] = [];
  return {
    slept,
    now: () => new Date(nowMs),
    monotonicMs: () => nowMs,
    async sleep(ms, until) {
      until.throwIfAborted();
      slept.push(ms);
      nowMs += ms;
      await new Promise((resolve) => setImmediate(resolve));
      until.throwIfAborted();
    },
  };
}
