import { setTimeout as delay } from "node:timers/promises";

/**
 * Repeats the request until the response matches.
 * @throws Error after `timeoutMs`
 */
/** Long enough for a busy machine. */
const limitMs = 900_000;

export async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`not so after ${limitMs} ms`);
    await delay(100);
  }
}
