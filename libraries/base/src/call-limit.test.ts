import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import { aborted } from "./abort.ts";
import { CallLimit } from "./call-limit.ts";

test("a call limit aborts with a TimeoutError when its time is over", async () => {
  using limit = new CallLimit(new AbortController().signal, 1);
  const kept = setInterval(() => undefined, 1_000);
  await aborted(limit.signal).finally(() => clearInterval(kept));
  assert.equal(limit.isOver, true);
  assert.equal(limit.signal.reason.name, "TimeoutError");
});

test("a call limit aborts with the error of its caller when its time is over", async () => {
  const late = new Error("too late");
  using limit = new CallLimit(new AbortController().signal, 1, { late });
  const kept = setInterval(() => undefined, 1_000);
  await aborted(limit.signal).finally(() => clearInterval(kept));
  assert.equal(limit.signal.reason, late);
});

test("a call limit aborts with the reason of the signal that stops it", () => {
  const stop = new AbortController();
  using limit = new CallLimit(stop.signal, 60_000);
  const reason = new Error("draining");
  stop.abort(reason);
  assert.equal(limit.signal.reason, reason);
  assert.equal(limit.isOver, false);
  using late = new CallLimit(stop.signal, 60_000);
  assert.equal(late.signal.reason, reason);
});

test("a call has its grace after the signal that stops it", async () => {
  const stop = new AbortController();
  using limit = new CallLimit(stop.signal, 60_000, { graceMs: 1 });
  stop.abort();
  assert.equal(limit.signal.aborted, false);
  await aborted(limit.signal);
  assert.equal(limit.isOver, false);
});

test("a disposed call limit leaves no listener", () => {
  const { signal } = new AbortController();
  new CallLimit(signal, 60_000)[Symbol.dispose]();
  assert.equal(getEventListeners(signal, "abort").length, 0);
});
