import { setTimeout as delay } from "node:timers/promises";

/** Asks again and again until the answer is yes. @throws Error after `timeoutMs` */
/** A busy machine takes as long as it needs. */
const limitMs = 900_000;

export async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`not so after ${limitMs} ms`);
    await delay(100);
  }
}
