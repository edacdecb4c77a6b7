import { setTimeout as delay } from "node:timers/promises";

/** The only source of time. `now` is wall time; `monotonicMs` never goes back and counts while stopped. */
export interface Clock {
  now(): Date;
  monotonicMs(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** Of a longer timer Node makes one of a millisecond. */
const longestTimerMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  async sleep(ms, signal) {
    signal.throwIfAborted();
    try {
      for (let left = ms; ; left -= longestTimerMs) {
        await delay(Math.min(left, longestTimerMs), undefined, { signal });
        if (left <= longestTimerMs) return;
      }
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
  },
};
