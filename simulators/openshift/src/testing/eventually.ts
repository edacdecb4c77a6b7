import { setTimeout as delay } from "node:timers/promises";

const firstDelayMs = 5;
/** Limit that only a defect exceeds, even on a busy machine. */
const limitMs = 1_800_000;
/** Checks send requests, so frequent checks would delay the expected result. */
const longestDelayMs = 40;

/**
 * Repeats `check` with increasing delays until it no longer throws, and returns its result. Throws its last
 * error after `limitMs`.
 */
export async function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  const end = performance.now() + limitMs;
  for (let delayMs = firstDelayMs; ; delayMs = Math.min(1.4 * delayMs, longestDelayMs)) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > end) throw error;
      await delay(delayMs);
    }
  }
}
