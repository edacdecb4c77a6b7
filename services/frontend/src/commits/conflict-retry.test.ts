import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@keelson/base/testing";
import { conflict, retryConflicts } from "./conflict-retry.ts";

const signal = new AbortController().signal;

test("a conflict is retried with increasing delays until it succeeds", async () => {
  const clock = new ManualClock();
  const start = clock.monotonicMs();
  const attempts: number[] = [];
  const done = retryConflicts(clock, signal, async () => {
    attempts.push(clock.monotonicMs() - start);
    return attempts.length < 4 ? conflict : "done";
  });
  await clock.advance(10_000);
  assert.equal(await done, "done");
  assert.deepEqual(attempts, [0, 100, 300, 600]);
});

test("the fifth conflict returns 409", async () => {
  const clock = new ManualClock();
  let attempts = 0;
  const done = retryConflicts(clock, signal, async () => {
    attempts++;
    return conflict;
  });
  const rejected = assert.rejects(done, { status: 409 });
  await clock.advance(10_000);
  await rejected;
  assert.equal(attempts, 5);
});

test("an error ends the attempts", async () => {
  await assert.rejects(
    retryConflicts(new ManualClock(), signal, async () => {
      throw new Error("broken");
    }),
    { message: "broken" },
  );
});
