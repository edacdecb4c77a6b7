import { setTimeout as delay } from "node:timers/promises";

/** Asks again and again until the answer is yes. @throws Error after `timeoutMs` */
export async function until(condition: () => Promise<boolean>, timeoutMs = 30_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`not so after ${timeoutMs} ms`);
    await delay(100);
  }
}
