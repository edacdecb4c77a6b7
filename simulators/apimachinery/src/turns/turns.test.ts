import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setImmediate as nextRound } from "node:timers/promises";
import { WorkBudget } from "@keelson/base";
import { inTurns } from "./phases.ts";
import { Turns } from "./turns.ts";
import { requestLimits } from "./work-limits.ts";

const [first, second] = [{ name: "first" }, { name: "second" }];

function heavy(): WorkBudget {
  const budget = new WorkBudget(requestLimits);
  budget.spend(100_000, 1_000_000);
  return budget;
}

describe("turns on the event loop", () => {
  test("light requests do not wait", () => {
    const turns = new Turns();
    assert.equal(turns.next(first, undefined), undefined);
    assert.equal(turns.next(first, new WorkBudget(requestLimits)), undefined);
    assert.equal(turns.waiting, 0);
  });

  test("rotate among the waiting owners", async () => {
    const turns = new Turns();
    const order: string[] = [];
    const part = (owner: object, name: string) => turns.next(owner, heavy())?.then(() => order.push(name));
    await Promise.all([
      part(first, "first-0"),
      part(first, "first-1"),
      part(first, "first-2"),
      part(second, "second-0"),
    ]);
    assert.deepEqual(order, ["first-0", "second-0", "first-1", "first-2"]);
  });

  test("run once per iteration of the event loop, so that other work runs between them", async () => {
    const turns = new Turns();
    let rounds = 0;
    const count = () => {
      rounds++;
      if (turns.waiting > 0) setImmediate(count);
    };
    const parts = Array.from({ length: 20 }, () => turns.next(first, heavy()));
    setImmediate(count);
    await Promise.all(parts);
    assert.ok(rounds >= 19, `${rounds} rounds`);
  });
});

test("long turns are followed by a pause for light requests", async () => {
  let nowMs = 0;
  const pause = Promise.withResolvers<void>();
  const slept: number[] = [];
  const sleep = (ms: number) => {
    slept.push(ms);
    return pause.promise;
  };
  const turns = new Turns({ monotonicMs: () => nowMs, sleep });
  const took: number[] = [];
  const parts = [0, 1, 2, 3, 4].map(async (name) => {
    await turns.next(first, heavy());
    took.push(name);
    nowMs += 4;
  });
  await Promise.all(parts.slice(0, 3));
  for (let round = 0; round < 10; round++) await nextRound();
  assert.deepEqual([took, slept], [[0, 1, 2], [2]]);
  pause.resolve();
  await Promise.all(parts);
  assert.deepEqual([took, slept], [[0, 1, 2, 3, 4], [2]]);
});

test("work in parts continues in turns after it has used much of its budget", async () => {
  const budget = new WorkBudget(requestLimits);
  let others = 0;
  function* work(): Generator<void, string, void> {
    yield;
    yield;
    budget.spend(100_000);
    setImmediate(() => others++);
    yield;
    assert.equal(others, 1);
    return "done";
  }
  const running = inTurns(work(), first, budget);
  assert.equal(await running, "done");
});
