import { setTimeout as delay } from "node:timers/promises";
import { pollDelayMs } from "../../e2e/support/poll-delay.ts";

/** Time limit in milliseconds. It is long enough for a busy machine. */
const limitMs = 900_000;

export async function until(condition: () => Promise<boolean>): Promise<void> {
  const startedMs = performance.now();
  while (!(await condition())) {
    if (performance.now() > startedMs + limitMs) throw new Error(`not so after ${limitMs} ms`);
    await delay(pollDelayMs(startedMs));
  }
}
