import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "./clock.ts";
import { ManualClock } from "./testing/manual-clock.ts";

const never = new AbortController().signal;

test("a manual clock wakes sleepers in the order of their times", async () => {
  const clock = new ManualClock();
  const woken: number[] = [];
  const sleepers = [300, 100, 200].map((ms) => clock.sleep(ms, never).then(() => woken.push(ms)));
  await clock.advance(250);
  assert.deepEqual(woken, [100, 200]);
  await clock.advance(50);
  await Promise.all(sleepers);
  assert.deepEqual(woken, [100, 200, 300]);
});

test("a manual clock runs a sleeper's next actions before it advances further", async () => {
  const clock = new ManualClock();
  const times: number[] = [];
  const loop = (async () => {
    for (let i = 0; i < 3; i++) {
      await clock.sleep(10, never);
      times.push(clock.monotonicMs());
    }
  })();
  const start = clock.monotonicMs();
  await clock.advance(100);
  await loop;
  assert.deepEqual(
    times.map((time) => time - start),
    [10, 20, 30],
  );
});

for (const [name, clock] of [
  ["system", systemClock],
  ["manual", new ManualClock()],
] as const) {
  test(`sleep on the ${name} clock ends with the reason of the abort`, async () => {
    const controller = new AbortController();
    const sleep = clock.sleep(60_000, controller.signal);
    controller.abort("draining");
    await assert.rejects(sleep, (reason) => reason === "draining");
    await assert.rejects(clock.sleep(1, controller.signal), (reason) => reason === "draining");
  });
}

test("a sleep of more than the 24 days that a timer can take is no short one", async () => {
  const nap = systemClock.sleep(90 * 86_400_000, AbortSignal.timeout(100));
  await assert.rejects(nap, { name: "TimeoutError" });
});
