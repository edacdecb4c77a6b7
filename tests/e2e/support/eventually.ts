import { setTimeout as delay } from "node:timers/promises";

const limitMs = 600_000;
const everyMs = 300;

/** What `check` gives once it no longer throws: simulated nodes may reboot at first, and take their pods along. @throws its last error */
export async function eventually<T>(check: () => Promise<T>): Promise<T> {
  for (const until = performance.now() + limitMs; ; await delay(everyMs)) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > until) throw error;
    }
  }
}
