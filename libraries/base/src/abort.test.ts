import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { queryObjects, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { timeLimit, withTimeout } from "./abort.ts";

const never = new AbortController().signal;

test("a time limit aborts as AbortSignal.timeout does, whether or not something listens", async () => {
  const limited = withTimeout(never, 10);
  const heard = Promise.withResolvers<unknown>();
  const listened = withTimeout(never, 10);
  listened.addEventListener("abort", () => heard.resolve(listened.reason));
  const alone = timeLimit(10);
  const original = AbortSignal.timeout(10);
  await delay(50);
  for (const reason of [limited.reason, await heard.promise, alone.reason])
    assert.deepEqual([reason.name, reason.message], [original.reason.name, original.reason.message]);
});

test("the caller's abort comes first, with its reason", () => {
  const caller = new AbortController();
  const limited = withTimeout(withTimeout(caller.signal, 60_000), 60_000);
  assert.equal(limited.aborted, false);
  caller.abort("draining");
  assert.equal(limited.reason, "draining");
  assert.equal(withTimeout(caller.signal, 60_000).reason, "draining");
});

test("limits inside limits leave nothing when their time is over", async () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const count = () => {
    collect();
    return queryObjects(AbortSignal, { format: "count" });
  };
  const before = count();
  for (let calls = 0; calls < 500; calls++) {
    const signal = withTimeout(withTimeout(timeLimit(30), 20), 10);
    const listener = () => undefined;
    signal.addEventListener("abort", listener);
    signal.removeEventListener("abort", listener);
  }
  assert.ok(count() > before + 500, "they last as long as their limits");
  for (let waits = 0; waits < 100 && count() > before + 10; waits++) await delay(50);
  assert.ok(count() <= before + 10, `${count() - before} are left`);
});
