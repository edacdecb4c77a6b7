import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { WritePace } from "./write-pace.ts";

test("at most 16 writes start in one event loop turn, in the order of their calls", async () => {
  const pace = new WritePace();
  const owner = {};
  const started: number[] = [];
  const write = async (at: number) => {
    await pace.next(owner);
    started.push(at);
  };
  const writes = Array.from({ length: 100 }, (_, at) => write(at));
  const counts: number[] = [];
  for (let turn = 0; started.length < 100 && turn < 1_000; turn++) {
    const before = started.length;
    await nextTurn();
    counts.push(started.length - before);
  }
  await Promise.all(writes);
  assert.deepEqual(
    started,
    Array.from({ length: 100 }, (_, at) => at),
  );
  // Between two checks of this test, the pace may have started the writes of two turns.
  assert.ok(Math.max(...counts) <= 32, counts.join(" "));
  await nextTurn();
  await nextTurn();
  assert.equal(pace.next(owner), undefined);
});

test("an owner with many writes does not delay the writes of others", async () => {
  const pace = new WritePace();
  const [busy, quiet] = [{}, {}];
  const order: string[] = [];
  const write = async (owner: object, name: string) => {
    await pace.next(owner);
    order.push(name);
  };
  const writes = [...Array.from({ length: 1_000 }, () => write(busy, "busy")), write(quiet, "quiet")];
  await Promise.all(writes);
  assert.ok(order.indexOf("quiet") < 40, `${order.indexOf("quiet")}`);
});
