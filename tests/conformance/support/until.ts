import { setTimeout as delay } from "node:timers/promises";

/** Time limit in milliseconds. It is long enough for a busy machine. */
const limitMs = 900_000;

export async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`not so after ${limitMs} ms`);
    await delay(100);
  }
}
