import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { FairThreads, type FairThreadsOptions } from "./fair-threads.ts";

/** Thread script: it computes endlessly, fails, or echoes the message. */
const script = new URL(
  `data:text/javascript,${encodeURIComponent(`
import { parentPort } from "node:worker_threads";
parentPort.on("message", (work) => {
  if (work === "spin") for (;;);
  if (work === "fail") throw new Error("no more memory");
  parentPort.postMessage(work);
});`)}`,
);
const usual = {
  script,
  name: "test",
  threads: 2,
  threadsPerOwner: 1,
  cpuMs: 60_000,
  stalledMs: 600_000,
  memoryMb: 64,
};
const [first, second] = [{ name: "first" }, { name: "second" }];

function threads(options: Partial<FairThreadsOptions> = {}): FairThreads<string, string> {
  return new FairThreads({ ...usual, ...options });
}

describe("threads that owners share", () => {
  test("take the tasks of owners in turns", async () => {
    await using pool = threads({ threads: 1 });
    const done: string[] = [];
    const run = async (owner: object, work: string) => {
      const outcome = await pool.run(owner, work);
      assert.equal(outcome.kind, "reply");
      done.push(work);
    };
    const tasks = ["a0", "a1", "a2"].map((work) => run(first, work));
    tasks.push(run(second, "b0"), run(second, "b1"));
    assert.equal(pool.waiting, 4);
    await Promise.all(tasks);
    assert.deepEqual(done, ["a0", "a1", "b0", "a2", "b1"]);
  });

  test("leave a thread to others while one owner computes without an end", async () => {
    await using pool = threads({ cpuMs: 300 });
    const endless = [pool.run(first, "spin"), pool.run(first, "spin")];
    for (let round = 0; round < 5; round++) {
      const outcome = await pool.run(second, `b${round}`);
      assert.equal(outcome.kind, "reply");
    }
    for (const outcome of await Promise.all(endless)) {
      assert.ok(outcome.kind === "ended" && outcome.limit === "cpu", outcome.kind);
      assert.ok(outcome.cpuMs >= 300, `${outcome.cpuMs} ms`);
    }
  });

  test("do not end a task because the thread of the pool was blocked", async () => {
    await using pool = threads({ stalledMs: 1_500 });
    await pool.run(first, "start the thread");
    const running = pool.run(first, "a");
    // After this `setImmediate` callback, the event loop runs due timers before it reads messages.
    setImmediate(() => {
      for (const endMs = performance.now() + 2_500; performance.now() < endMs; );
    });
    assert.equal((await running).kind, "reply");
  });

  test("count CPU time, not waiting, and end a task that makes no progress", async () => {
    const standing = async () => 0;
    await using patient = new FairThreads<string, string>({ ...usual, cpuMs: 1 }, standing);
    assert.equal((await patient.run(first, "a")).kind, "reply");
    await using stalled = new FairThreads<string, string>({ ...usual, stalledMs: 200 }, standing);
    const outcome = await stalled.run(first, "spin");
    assert.ok(outcome.kind === "ended" && outcome.limit === "stalled");
  });

  test("replace a thread that ended by an error, as it does without memory", async () => {
    await using pool = threads({ threads: 1 });
    const failed = await pool.run(first, "fail");
    assert.deepEqual(failed, { kind: "ended", limit: "memory", reason: "no more memory", cpuMs: 0 });
    assert.equal((await pool.run(first, "a")).kind, "reply");
  });
});
