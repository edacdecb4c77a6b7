import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { type Outcome, WorkQueue } from "./work-queue.ts";

const nothing: Outcome = {};

test("a key is never processed twice at a time, and once more when it is added meanwhile", async () => {
  const gate = Promise.withResolvers<void>();
  let concurrent = 0;
  let most = 0;
  let calls = 0;
  const queue = new WorkQueue({
    process: async () => {
      calls += 1;
      most = Math.max(most, ++concurrent);
      if (calls === 1) await gate.promise;
      concurrent -= 1;
      return nothing;
    },
    onFailure: () => assert.fail("nothing fails here"),
    clock: systemClock,
    signal: new AbortController().signal,
  });
  for (let i = 0; i < 5; i++) queue.add("a");
  gate.resolve();
  await queue.drained();
  assert.equal(calls, 2);
  assert.equal(most, 1);
});

test("different keys are processed side by side", async () => {
  const both = Promise.withResolvers<void>();
  const seen = new Set<string>();
  const queue = new WorkQueue({
    process: async (key) => {
      seen.add(key);
      if (seen.size === 2) both.resolve();
      await both.promise;
      return nothing;
    },
    onFailure: () => undefined,
    clock: systemClock,
    signal: new AbortController().signal,
  });
  queue.add("a");
  queue.add("b");
  await queue.drained();
  assert.deepEqual([...seen].sort(), ["a", "b"]);
});

test("a failing key is tried again after a growing pause, an added one at once", async () => {
  const clock = new ManualClock();
  const failures: number[] = [];
  let succeed = false;
  const queue = new WorkQueue({
    process: async () => {
      if (!succeed) throw new Error("not yet");
      return nothing;
    },
    onFailure: (_key, _error, attempt) => failures.push(attempt),
    clock,
    signal: new AbortController().signal,
  });
  queue.add("a");
  await clock.advance(0);
  assert.deepEqual(failures, [1]);
  await clock.advance(60);
  assert.deepEqual(failures, [1, 2]);
  succeed = true;
  queue.add("a");
  await queue.drained();
  assert.deepEqual(failures, [1, 2]);
});

test("a requeue is woken early by an add, and dropped by the signal", async () => {
  const clock = new ManualClock();
  const stop = new AbortController();
  let calls = 0;
  const queue = new WorkQueue({
    process: async () => {
      calls += 1;
      return { requeueAfterMs: 60_000 };
    },
    onFailure: () => undefined,
    clock,
    signal: stop.signal,
  });
  queue.add("a");
  await clock.advance(0);
  queue.add("a");
  await clock.advance(0);
  assert.equal(calls, 2);
  stop.abort();
  await queue.drained();
  assert.equal(calls, 2);
});
