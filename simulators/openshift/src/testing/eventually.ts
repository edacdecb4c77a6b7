import { setTimeout as delay } from "node:timers/promises";

/** Waits until `check` throws no more, and gives what it returned; fails with its last error after `limitMs`. */
export async function eventually<T>(check: () => T | Promise<T>, limitMs = 30_000): Promise<T> {
  const end = performance.now() + limitMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > end) throw error;
      await delay(10);
    }
  }
}
