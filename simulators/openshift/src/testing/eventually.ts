import { setTimeout as delay } from "node:timers/promises";

const firstDelayMs = 5;
/** Only a defect takes this long, on a busy machine too. */
const limitMs = 1_800_000;
/** Checks send requests, so frequent ones would delay what they wait for. */
const longestDelayMs = 40;

/**
 * Repeats `check` less and less often until it no longer throws, and returns its result. Throws its last error after
 * `limitMs`.
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
