import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { requestBudget } from "@keelson/apimachinery";
import { WorkBudget } from "@keelson/base";
import { patchTask } from "./patch-task.ts";
import { decodeYamlTask } from "./read-yaml.ts";
import { ThreadPool } from "./thread-pool.ts";

const [first, second] = [{ name: "first" }, { name: "second" }];
const yaml = (name: string) => `metadata:\n  name: ${name}\n`;

describe("a pool of threads", () => {
  test("alternates between the owners of tasks", async () => {
    await using pool = new ThreadPool({ threads: 1 });
    const done: string[] = [];
    const run = async (owner: object, name: string) => {
      const { value } = await pool.run(owner, decodeYamlTask, yaml(name), requestBudget());
      assert.deepEqual(value, { metadata: { name } });
      done.push(name);
    };
    await Promise.all([
      run(first, "first-0"),
      run(first, "first-1"),
      run(first, "first-2"),
      run(second, "second-0"),
      run(second, "second-1"),
    ]);
    assert.deepEqual(done, ["first-0", "first-1", "second-0", "first-2", "second-1"]);
  });

  test("reserves threads for other owners", async () => {
    await using pool = new ThreadPool({ threads: 2, threadsPerOwner: 1 });
    const tasks = [first, first, first, second].map((owner) =>
      pool.run(owner, decodeYamlTask, yaml("a"), requestBudget()),
    );
    assert.equal(pool.waiting, 2);
    await Promise.all(tasks);
    assert.equal(pool.waiting, 0);
  });

  test("rejects more waiting tasks of one owner, but accepts those of other owners", async () => {
    await using pool = new ThreadPool({ threads: 1, waitingPerOwner: 2 });
    const run = (owner: object) => pool.run(owner, decodeYamlTask, yaml("a"), requestBudget());
    const taken = [run(first), run(first), run(first)];
    await assert.rejects(run(first), { code: 429, reason: "TooManyRequests" });
    taken.push(run(second));
    await Promise.all(taken);
    await run(first);
  });

  test("deducts the cost of a task from its budget and rejects a task beyond it", async () => {
    await using pool = new ThreadPool({ threads: 1 });
    const budget = new WorkBudget({ nodes: 1_000, bytes: 1_000, timeMs: 60_000 });
    await pool.run(first, decodeYamlTask, yaml("a"), budget);
    assert.equal(budget.spent.bytes, yaml("a").length);
    await assert.rejects(pool.run(first, decodeYamlTask, yaml("a".repeat(1_000)), budget), {
      code: "WorkBudgetExceeded",
      limit: "bytes",
    });
    await pool.run(first, decodeYamlTask, yaml("a"), budget);
  });

  test("forwards the error of a task", async () => {
    await using pool = new ThreadPool({ threads: 1 });
    const refused = pool.run(first, decodeYamlTask, "a: b: c", requestBudget());
    await assert.rejects(refused, { name: "StatusError", code: 400, reason: "BadRequest" });
    const patch = [{ op: "remove", path: "/b" }];
    const unpatched = pool.run(first, patchTask, { type: "json", object: {}, patch }, requestBudget());
    await assert.rejects(unpatched, { name: "PatchError", status: 422 });
  });

  test("terminates a thread at its CPU deadline and continues with a new thread", async () => {
    await using slow = new ThreadPool({ threads: 1, deadlineMs: 1 });
    // The start of the worker thread alone takes longer than the deadline.
    const late = [first, second].map((owner) => slow.run(owner, decodeYamlTask, yaml("a"), requestBudget()));
    for (const each of late) {
      await assert.rejects(each, { code: "WorkBudgetExceeded", limit: "timeMs" });
    }
    assert.equal(slow.waiting, 0);
  });

  test("counts only CPU time towards the deadline, and terminates a stalled thread", async () => {
    await using busy = new ThreadPool({ threads: 1, deadlineMs: 1 }, async () => 0);
    const { value } = await busy.run(first, decodeYamlTask, yaml("a"), requestBudget());
    assert.deepEqual(value, { metadata: { name: "a" } });
    await using stuck = new ThreadPool({ threads: 1, deadlineMs: 60_000, patienceMs: 1 }, async () => 0);
    const never = stuck.run(first, decodeYamlTask, yaml("a"), requestBudget());
    await assert.rejects(never, { code: "WorkBudgetExceeded", limit: "timeMs" });
  });

  test("rejects a task that exceeds its thread's memory and continues with a new thread", async () => {
    await using pool = new ThreadPool({ threads: 1, memoryMb: 64 });
    const long = `[${"{a: [b]},".repeat(300_000)}]`;
    const full = pool.run(first, decodeYamlTask, long, requestBudget());
    const next = pool.run(second, decodeYamlTask, yaml("a"), requestBudget());
    await assert.rejects(full, { code: 400, message: /memory limit/ });
    assert.deepEqual((await next).value, { metadata: { name: "a" } });
  });
});
