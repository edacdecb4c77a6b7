import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Backoff, backoffMs, retry } from "./retry.ts";
import { ManualClock } from "./testing/manual-clock.ts";

const policy: Backoff = { attempts: 4, firstMs: 100, factor: 2, maxMs: 300, jitter: 0 };
const never = new AbortController().signal;

async function attempt(failures: number, decide: () => number | undefined | "stop" = () => undefined) {
  const clock = new ManualClock();
  const at: number[] = [];
  const start = clock.monotonicMs();
  const result = retry(
    async (n) => {
      at.push(clock.monotonicMs() - start);
      if (n <= failures) throw new Error(`attempt ${n}`);
      return n;
    },
    { policy, clock, signal: never, decide },
  );
  const outcome = result.then(
    (value) => value,
    (error: Error) => error.message,
  );
  await clock.advance(10_000);
  return { at, outcome: await outcome };
}

test("waits double up to the limit, and the first success is the result", async () => {
  assert.deepEqual(await attempt(3), { at: [0, 100, 300, 600], outcome: 4 });
});

test("the last error is thrown when the attempts are used up", async () => {
  assert.deepEqual(await attempt(9), { at: [0, 100, 300, 600], outcome: "attempt 4" });
});

test("the decision overrides the wait, or stops at once", async () => {
  assert.deepEqual(await attempt(1, () => 7), { at: [0, 7], outcome: 2 });
  assert.deepEqual(await attempt(1, () => "stop"), { at: [0], outcome: "attempt 1" });
});

test("an abort ends the waiting", async () => {
  const controller = new AbortController();
  const clock = new ManualClock();
  const run = retry(() => Promise.reject(new Error("no")), {
    policy,
    clock,
    signal: controller.signal,
    decide: () => undefined,
  });
  setImmediate(() => controller.abort("abandoned"));
  await assert.rejects(run, (reason) => reason === "abandoned");
});

test("a wait stays within the jitter around the exponential value", () => {
  const jittered = { ...policy, jitter: 0.1 };
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), fc.double({ min: 0, max: 1, noNaN: true }), (n, random) => {
      const exact = Math.min(300, 100 * 2 ** (n - 1));
      const wait = backoffMs(jittered, n, () => random);
      assert.ok(wait >= Math.floor(exact * 0.9) && wait <= Math.ceil(exact * 1.1));
    }),
  );
});
