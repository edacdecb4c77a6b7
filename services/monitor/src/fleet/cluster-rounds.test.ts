import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@keelson/base/testing";
import { ClusterRounds } from "./cluster-rounds.ts";

const minuteMs = 60_000;

function rounds(pass: (id: string, signal: AbortSignal) => Promise<void>, random = () => 0.5) {
  const clock = new ManualClock();
  return { clock, rounds: new ClusterRounds({ everyMs: minuteMs, pass, random, clock }) };
}

test("each cluster has its first pass within a period, and then one in each", async () => {
  const passes: string[] = [];
  const at = [0.1, 0.5, 0.9].values();
  let fixed = 0.5;
  const world = rounds(
    async (id) => {
      passes.push(id);
    },
    () => at.next().value ?? fixed,
  );
  await using all = world.rounds;
  for (const id of ["a", "b", "c"]) all.begin(id);
  await world.clock.advance(minuteMs);
  assert.deepEqual(passes.slice(0, 3), ["a", "b", "c"]);
  fixed = 0;
  passes.length = 0;
  await world.clock.advance(10 * minuteMs);
  for (const id of ["a", "b", "c"]) {
    const count = passes.filter((each) => each === id).length;
    assert.ok(count >= 10 && count <= 11, `${count} passes of ${id}`);
  }
});

test("a cluster that is no longer watched has no further pass, and the one that runs is stopped", async () => {
  let running: AbortSignal | undefined;
  let count = 0;
  const world = rounds((_, signal) => {
    running = signal;
    count++;
    return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  });
  await using all = world.rounds;
  all.begin("a");
  await world.clock.advance(minuteMs);
  assert.equal(all.active, 1);
  all.end("a");
  assert.equal(running?.aborted, true);
  await world.clock.advance(5 * minuteMs);
  assert.equal(count, 1);
  assert.equal(all.active, 0);
});

test("a cluster that comes back at once is never passed over twice at a time", async () => {
  let now = 0;
  let most = 0;
  const over: (() => void)[] = [];
  const world = rounds(async () => {
    now++;
    most = Math.max(most, now);
    await new Promise<void>((resolve) => over.push(resolve));
    now--;
  });
  await using all = world.rounds;
  all.begin("a");
  await world.clock.advance(minuteMs);
  all.end("a");
  all.begin("a");
  await world.clock.advance(3 * minuteMs);
  assert.equal(over.length, 1);
  over[0]?.();
  await world.clock.advance(3 * minuteMs);
  assert.equal(over.length, 2);
  assert.equal(most, 1);
  over[1]?.();
});

test("beginning twice is one round; a pass that takes longer than a period delays only the next", async () => {
  let count = 0;
  const world = rounds(
    async () => {
      count++;
      await world.clock.sleep(90_000, new AbortController().signal);
    },
    () => 0,
  );
  const all = world.rounds;
  all.begin("a");
  all.begin("a");
  await world.clock.advance(10 * minuteMs);
  assert.equal(count, 7);
  const ended = all[Symbol.asyncDispose]();
  await world.clock.advance(2 * minuteMs);
  await ended;
});
