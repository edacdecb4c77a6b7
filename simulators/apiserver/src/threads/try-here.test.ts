import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { requestLimits } from "@keelson/apimachinery";
import { WorkBudget } from "@keelson/base";
import { tryHere } from "./try-here.ts";

describe("work that is tried inline", () => {
  test("returns its result and is deducted from the request's budget", () => {
    const budget = new WorkBudget(requestLimits);
    const done = tryHere(budget, (brief) => {
      brief.spend(10, 20);
      return "a";
    });
    assert.deepEqual(done, { result: "a" });
    assert.deepEqual([budget.spent.nodes, budget.spent.bytes], [10, 20]);
  });

  test("is left to a thread if it is long, even if it catches the budget error", () => {
    const budget = new WorkBudget(requestLimits);
    const endless = (brief: WorkBudget) => {
      for (;;) brief.spend(1_000);
    };
    assert.equal(tryHere(budget, endless), undefined);
    const swallowed = (brief: WorkBudget) => {
      try {
        return endless(brief);
      } catch {
        return "an expression's own error";
      }
    };
    assert.equal(tryHere(budget, swallowed), undefined);
    const reworded = (brief: WorkBudget) => {
      try {
        return endless(brief);
      } catch (cause) {
        throw new TypeError("an expression failed", { cause });
      }
    };
    assert.equal(tryHere(budget, reworded), undefined);
  });

  test("is rejected inline if it exceeds the request's budget", () => {
    const budget = new WorkBudget({ ...requestLimits, nodes: 5 });
    budget.spend(5);
    const refused = () => tryHere(budget, (brief) => brief.spend(1)) ?? budget.spend(1);
    assert.throws(refused, { code: "WorkBudgetExceeded" });
  });

  test("rethrows its errors", () => {
    const fails = () => {
      throw new TypeError("no");
    };
    assert.throws(() => tryHere(new WorkBudget(requestLimits), fails), TypeError);
  });
});
