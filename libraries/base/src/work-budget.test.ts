import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { isCoded } from "./errors.ts";
import { WorkBudget, WorkBudgetExceeded, type WorkLimit } from "./work-budget.ts";

const limits = { nodes: 10_000, bytes: 1_000_000, timeMs: 50 };

function exceeded(limit: WorkLimit) {
  return (error: unknown) =>
    isCoded(error, "WorkBudgetExceeded") && error instanceof WorkBudgetExceeded && error.limit === limit;
}

describe("a budget of work", () => {
  test("lets through what fits, to the last node and byte", () => {
    const budget = new WorkBudget(limits);
    budget.spend(10_000, 1_000_000);
    assert.deepEqual(budget.remaining.nodes, 0);
    assert.equal(budget.exceeded, undefined);
    assert.throws(() => budget.spend(1), exceeded("nodes"));
    assert.equal(budget.exceeded, "nodes");
    assert.throws(() => budget.spend(0, 1), exceeded("nodes"));
  });

  test("names the limit, and stays used up", () => {
    const budget = new WorkBudget(limits);
    assert.throws(() => budget.spend(1, 2_000_000), exceeded("bytes"));
    assert.throws(() => budget.spend(0), /more work than 1,000,000 bytes/);
    assert.throws(() => budget.spend(Number.POSITIVE_INFINITY), exceeded("nodes"));
  });

  for (const amount of [-1, -0.1, Number.NEGATIVE_INFINITY, Number.NaN]) {
    test(`gives nothing back for ${amount}`, () => {
      const budget = new WorkBudget(limits);
      budget.spend(100, 100);
      assert.throws(() => budget.spend(amount), RangeError);
      assert.throws(() => budget.spend(0, amount), RangeError);
      assert.deepEqual([budget.spent.nodes, budget.spent.bytes], [100, 100]);
    });
  }

  test("never grows, whatever is spent", () => {
    const amount = fc.oneof(fc.double(), fc.integer());
    fc.assert(
      fc.property(fc.array(fc.tuple(amount, amount)), (amounts) => {
        const budget = new WorkBudget(limits);
        for (const [nodes, bytes] of amounts) {
          const before = budget.remaining;
          try {
            budget.spend(nodes, bytes);
          } catch {
            // The error is ignored here, because earlier tests check it.
          }
          assert.ok(budget.remaining.nodes <= before.nodes && budget.remaining.bytes <= before.bytes);
        }
      }),
    );
  });

  test("counts time while the request's code runs, reading the clock once in a thousand nodes", () => {
    let nowMs = 0;
    let readings = 0;
    const clock = {
      monotonicMs: () => {
        readings++;
        return nowMs;
      },
    };
    const budget = new WorkBudget(limits, clock);
    for (let at = 0; at < 3_000; at++) budget.spend(1);
    assert.equal(readings, 3);
    nowMs = 51;
    assert.throws(() => {
      for (let at = 0; at < 2_000; at++) budget.spend(1);
    }, exceeded("timeMs"));
    assert.throws(() => budget.checkTime(), exceeded("timeMs"));
  });

  test("counts no time in which other programs have the processor", () => {
    const budget = new WorkBudget({ ...limits, timeMs: 200 });
    budget.spend(1);
    // Simulates a program that gets no CPU time: wall time passes without any work.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    budget.checkTime();
    assert.ok(budget.spent.timeMs < 200, `${budget.spent.timeMs} ms`);
    assert.throws(() => {
      for (;;) budget.checkTime();
    }, exceeded("timeMs"));
  });

  test("counts no time in which others run", async () => {
    let nowMs = 0;
    const budget = new WorkBudget(limits, { monotonicMs: () => nowMs });
    for (let turn = 0; turn < 3; turn++) {
      budget.spend(1);
      nowMs += 10;
      budget.checkTime();
      await new Promise((resolve) => setImmediate(resolve));
      nowMs += 60_000;
    }
    assert.equal(budget.spent.timeMs, 30);
  });

  test("is not made without limits", () => {
    for (const wrong of [-1, Number.NaN]) {
      assert.throws(() => new WorkBudget({ ...limits, nodes: wrong }), RangeError);
      assert.throws(() => new WorkBudget({ ...limits, timeMs: wrong }), RangeError);
    }
  });
});
