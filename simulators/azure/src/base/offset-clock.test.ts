import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@keelson/base/testing";
import { OffsetClock } from "./offset-clock.ts";

const { signal } = new AbortController();

test("moving the clock wakes exactly the sleepers that are due", async () => {
  const base = new ManualClock(new Date(0));
  const clock = new OffsetClock(base);
  const woken: string[] = [];
  const sleepers = [50, 100, 150].map((ms) => clock.sleep(ms, signal).then(() => woken.push(`${ms}`)));
  await base.advance(10);
  clock.moveTo(60);
  await base.advance(0);
  assert.deepEqual(woken, ["50"]);
  assert.equal(clock.now().getTime(), 70);
  await base.advance(29);
  assert.deepEqual(woken, ["50"]);
  await base.advance(1);
  assert.deepEqual(woken, ["50", "100"]);
  await base.advance(50);
  await Promise.all(sleepers);
  assert.equal(base.sleeping, 0);
});

test("a clock that is moved back extends sleeps", async () => {
  const base = new ManualClock(new Date(0));
  const clock = new OffsetClock(base);
  clock.moveTo(100);
  let isAwake = false;
  const slept = clock.sleep(10, signal).then(() => {
    isAwake = true;
  });
  clock.moveTo(0);
  await base.advance(109);
  assert.equal(isAwake, false);
  await base.advance(1);
  await slept;
});

test("an aborted sleep rejects with the reason", async () => {
  const clock = new OffsetClock(new ManualClock());
  const stop = new AbortController();
  const slept = clock.sleep(10, stop.signal);
  stop.abort(new Error("enough"));
  await assert.rejects(slept, /enough/);
});
