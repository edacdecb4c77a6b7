import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@keelson/base/testing";
import { ClusterRounds } from "./cluster-rounds.ts";

const minuteMs = 60_000;

let late = 0;

function rounds(pass: (id: string, signal: AbortSignal) => Promise<void>, random = () => 0.5, limit = 10) {
  const clock = new ManualClock();
  return {
    clock,
    rounds: new ClusterRounds({ everyMs: minuteMs, limit, pass, random, clock, onLate: () => late++ }),
  };
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

test("a cluster that is no longer watched has no further pass, and the running one is stopped", async () => {
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

test("a cluster that returns immediately never has two concurrent passes", async () => {
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

test("beginning twice is one round, and a pass that exceeds a period delays only the next", async () => {
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

test("clusters of a stopped monitor are visited soon, and then spread over the period", async () => {
  const passes = new Map<string, number[]>();
  const world = rounds(async (id) => {
    passes.set(id, [...(passes.get(id) ?? []), world.clock.monotonicMs()]);
  }, Math.random);
  await using all = world.rounds;
  const startMs = world.clock.monotonicMs();
  const ids = Array.from({ length: 40 }, (_, at) => `${at}`);
  for (const id of ids) all.begin(id, true);
  await world.clock.advance(minuteMs / 4);
  assert.equal(passes.size, 40);
  await world.clock.advance(4 * minuteMs);
  const seconds = [...passes.values()].map(([, second = 0]) => second - startMs);
  assert.ok(Math.max(...seconds) - Math.min(...seconds) > minuteMs / 4);
  for (const times of passes.values())
    for (const [at, time] of times.entries()) {
      const gap = time - (times[at - 1] ?? startMs);
      assert.ok(gap <= minuteMs, `${gap} ms`);
    }
});

test("passes beyond the limit wait, late ones are counted, and each cluster has its turn", async () => {
  late = 0;
  const passes: string[] = [];
  let now = 0;
  let most = 0;
  const world = rounds(
    async (id, signal) => {
      passes.push(id);
      most = Math.max(most, ++now);
      await world.clock.sleep(4_000, signal).catch(() => undefined);
      now--;
    },
    () => 0.5,
    2,
  );
  await using all = world.rounds;
  for (let at = 0; at < 40; at++) all.begin(`${at}`);
  await world.clock.advance(30_000);
  assert.deepEqual([all.active, all.waiting, late], [2, 38, 0]);
  await world.clock.advance(80_000);
  assert.equal(most, 2);
  assert.equal(new Set(passes).size, 40);
  assert.ok(late > 20 && late < passes.length, `${late} of ${passes.length}`);
});
