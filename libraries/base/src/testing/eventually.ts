import { setTimeout as delay } from "node:timers/promises";

const firstDelayMs = 5;
/** Time limit in milliseconds. Only a defect exceeds it, even on a busy machine. */
const limitMs = 1_800_000;
/** Maximum delay between checks in milliseconds. More frequent checks would slow down the tested system. */
const longestDelayMs = 40;

/** Repeats `check` with increasing delays until it succeeds. Returns its result. After `limitMs`, throws its last error. */
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

/** Waits until `condition` is true. Throws the errors of `condition`, and an error with `what` after `limitMs`. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what = `${condition}`,
): Promise<void> {
  const end = performance.now() + limitMs;
  for (let delayMs = firstDelayMs; !(await condition()); delayMs = Math.min(1.4 * delayMs, longestDelayMs)) {
    if (performance.now() > end) throw new Error(`false after ${limitMs} ms: ${what}`);
    await delay(delayMs);
  }
}
