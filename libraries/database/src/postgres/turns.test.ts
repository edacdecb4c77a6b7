import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { Turns } from "./turns.ts";

const limitMs = 900_000;

test("callers beyond the limit proceed in order, and a caller with isFirst before them", async () => {
  const turns = new Turns(1);
  const proceeded: string[] = [];
  const take = async (name: string, isFirst = false) => {
    assert.equal(await turns.take({ limitMs, isFirst }), true);
    proceeded.push(name);
  };
  const all = [take("a"), take("b"), take("c"), take("d", true)];
  await turn();
  assert.deepEqual([proceeded, turns.waiting], [["a"], 3]);
  for (let at = 0; at < 3; at++) {
    turns.leave();
    await turn();
  }
  await Promise.all(all);
  assert.deepEqual(proceeded, ["a", "d", "b", "c"]);
});

test("a higher limit wakes waiting callers, and a lower limit applies to later calls", async () => {
  const turns = new Turns(0);
  const waiting = [1, 2, 3].map(() => turns.take({ limitMs, isFirst: false }));
  turns.limit = 2;
  await Promise.all(waiting.slice(0, 2));
  assert.equal(turns.waiting, 1);
  turns.limit = 1;
  turns.leave();
  assert.equal(turns.waiting, 1, "one turn is still taken");
  turns.leave();
  assert.equal(await waiting[2], true);
});

test("a caller stops waiting at its time limit, and takes no turn", async () => {
  const turns = new Turns(0);
  assert.equal(await turns.take({ limitMs: 10, isFirst: false }), false);
  turns.limit = 1;
  assert.equal(turns.waiting, 0);
  assert.equal(turns.takeNow(), true);
  assert.equal(turns.takeNow(), false);
});
