import { setTimeout as delay } from "node:timers/promises";

const limitMs = 600_000;
const everyMs = 300;

/**
 * Repeats `check` until it succeeds and returns its result. The check may fail at first because nodes may still reboot after an
 * installation, and their pods restart.
 * @throws the last error of `check`
 */
export async function eventually<T>(check: () => Promise<T>): Promise<T> {
  for (const until = performance.now() + limitMs; ; await delay(everyMs)) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > until) throw error;
    }
  }
}
