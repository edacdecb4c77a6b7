import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@keelson/base/testing";
import { aggregatePause } from "./aggregate-pause.ts";

const { signal } = new AbortController();

test("an aggregate of few objects causes no pause", async () => {
  const clock = new ManualClock();
  await aggregatePause(clock, 50, signal);
  assert.equal(clock.sleeping, 0);
});

for (const [objects, ms] of [
  [200, 100],
  [100_000, 1_000],
] as const)
  test(`an aggregate of ${objects} objects pauses for ${ms} ms`, async () => {
    const clock = new ManualClock();
    let isOver = false;
    const pause = aggregatePause(clock, objects, signal).then(() => {
      isOver = true;
    });
    await clock.advance(ms - 1);
    assert.equal(isOver, false);
    await clock.advance(1);
    await pause;
  });
