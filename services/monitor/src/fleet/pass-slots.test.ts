import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@keelson/base/testing";
import fc from "fast-check";
import { PassSlots } from "./pass-slots.ts";

const { signal: never } = new AbortController();
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Creates slots and collections. The test determines when a collection ends. */
function world(limit: number) {
  const clock = new ManualClock();
  const slots = new PassSlots({ limit, stalledMs: 5_000, clock });
  const begun: string[] = [];
  const running = new Map<string, { readonly end: () => void; readonly progress: () => void }>();
  const start = (name: string, signal = never) =>
    slots.run((progress) => {
      begun.push(name);
      return new Promise((resolve) => {
        const end = () => {
          running.delete(name);
          resolve();
        };
        running.set(name, { end, progress });
      });
    }, signal);
  return { clock, slots, begun, running, start };
}

test("passes at work do not exceed the slots, and the others wait in order", async () => {
  const { slots, begun, running, start } = world(2);
  for (const name of ["a", "b", "c", "d"]) void start(name);
  await turn();
  assert.deepEqual([begun, slots.active, slots.waiting], [["a", "b"], 2, 2]);
  running.get("b")?.end();
  await turn();
  assert.deepEqual([begun, slots.active, slots.waiting], [["a", "b", "c"], 2, 1]);
  for (const name of ["a", "c", "d"]) {
    running.get(name)?.end();
    await turn();
  }
  assert.deepEqual([begun.length, slots.active, slots.waiting], [4, 0, 0]);
});

test("a pass that waits for its cluster releases its slot, but an advancing one keeps it", async () => {
  const { clock, slots, begun, running, start } = world(1);
  void start("slow");
  void start("next");
  await turn();
  await clock.advance(4_000);
  running.get("slow")?.progress();
  await clock.advance(4_000);
  assert.deepEqual(begun, ["slow"]);
  await clock.advance(1_000);
  await turn();
  assert.deepEqual([begun, slots.active], [["slow", "next"], 2]);
  running.get("slow")?.end();
  running.get("next")?.end();
  await turn();
  assert.equal(slots.active, 0);
  void start("last");
  await turn();
  assert.deepEqual([begun.at(-1), slots.active], ["last", 1]);
  running.get("last")?.end();
  await turn();
  assert.equal(clock.sleeping, 0);
});

test("the number of passes that wait for their clusters is bounded too", async () => {
  const { clock, slots, start } = world(2);
  for (let at = 0; at < 50; at++) void start(`${at}`);
  for (let round = 0; round < 10; round++) await clock.advance(5_000);
  assert.deepEqual([slots.active, slots.waiting], [2 + 2 * 4, 40]);
});

test("a pass that is cancelled while it waits does not begin, and uses no slot", async () => {
  const { slots, begun, running, start } = world(1);
  const stop = new AbortController();
  void start("a");
  const waiting = start("b", stop.signal);
  const last = start("c");
  stop.abort();
  assert.equal(await waiting, false);
  assert.equal(await start("d", stop.signal), false);
  running.get("a")?.end();
  await turn();
  running.get("c")?.end();
  assert.equal(await last, true);
  assert.deepEqual([begun, slots.active, slots.waiting], [["a", "c"], 0, 0]);
});

test("a pass that throws releases its slot", async () => {
  const { slots } = world(1);
  await assert.rejects(
    slots.run(() => Promise.reject(new Error("broken")), never),
    /broken/,
  );
  assert.equal(slots.active, 0);
});

test("slots are neither lost nor doubled for any sequence of passes", async () => {
  const step = fc.tuple(fc.constantFrom("start", "end", "progress", "wait", "stop"), fc.nat(9));
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.array(step, { maxLength: 60 }),
      async (limit, steps) => {
        const { clock, slots, running, start } = world(limit);
        const stops = new Map<string, AbortController>();
        let count = 0;
        const pick = (at: number) => [...running.values()][at % Math.max(1, running.size)];
        for (const [what, at] of steps) {
          if (what === "start") {
            const name = `${count++}`;
            const stop = new AbortController();
            stops.set(name, stop);
            void start(name, stop.signal);
          } else if (what === "end") pick(at)?.end();
          else if (what === "progress") pick(at)?.progress();
          else if (what === "stop") [...stops.values()][at % Math.max(1, stops.size)]?.abort();
          else await clock.advance(at * 1_000);
          await turn();
          assert.equal(slots.active, running.size);
          assert.ok(slots.active <= limit * 5);
          assert.ok(slots.waiting === 0 || slots.active >= limit);
        }
        while (running.size > 0 || slots.waiting > 0) {
          for (const { end } of running.values()) end();
          await turn();
        }
        assert.deepEqual([slots.active, clock.sleeping], [0, 0]);
      },
    ),
    { numRuns: 100 },
  );
});
