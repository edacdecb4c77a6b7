import { setImmediate } from "node:timers/promises";

/** Work in small units, as a generator. Between two units, the event loop can process other requests. */
export type Parts<Result> = Generator<void, Result, void>;

/** Time in ms after which the work yields to the event loop. */
const turnMs = 5;

/** Runs all units synchronously. */
export function atOnce<Result>(parts: Parts<Result>): Result {
  for (;;) {
    const { done, value } = parts.next();
    if (done) return value;
  }
}

/** Runs all units and yields to the event loop between them. */
export async function inTurns<Result>(parts: Parts<Result>): Promise<Result> {
  let began = performance.now();
  for (;;) {
    const { done, value } = parts.next();
    if (done) return value;
    if (performance.now() - began < turnMs) continue;
    await setImmediate();
    began = performance.now();
  }
}
