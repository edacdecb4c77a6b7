import { setImmediate } from "node:timers/promises";

/** Work in parts: between two of them others are answered. */
export type Parts<Result> = Generator<void, Result, void>;

/** The event loop is given back after a part that ends so late. */
const turnMs = 5;

/** All parts at once. */
export function atOnce<Result>(parts: Parts<Result>): Result {
  for (;;) {
    const { done, value } = parts.next();
    if (done) return value;
  }
}

/** The same, while others have their turns. */
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
