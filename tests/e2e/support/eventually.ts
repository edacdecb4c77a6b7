import { setTimeout as delay } from "node:timers/promises";

const limitMs = 600_000;
const everyMs = 300;

/**
 * Returns the result of `check` when it no longer throws, because simulated nodes may reboot at first and
 * restart their pods.
 * @throws its last error
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
