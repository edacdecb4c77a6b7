import { setImmediate } from "node:timers/promises";

/** Work in parts. Other requests run between them. */
export type Parts<Result> = Generator<void, Result, void>;

/** Duration of parts after which the event loop gets a turn. */
const turnMs = 5;

/** Runs all parts synchronously. */
export function atOnce<Result>(parts: Parts<Result>): Result {
  for (;;) {
    const { done, value } = parts.next();
    if (done) return value;
  }
}

/** Runs all parts and yields to the event loop between them. */
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
