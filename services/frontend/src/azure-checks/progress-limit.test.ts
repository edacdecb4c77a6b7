import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { aborted } from "@keelson/base";
import { maxFactor, ProgressLimit } from "./progress-limit.ts";

const never = new AbortController().signal;

test("a limit ends a wait without progress", async () => {
  using limit = new ProgressLimit(never, 10);
  await aborted(limit.signal);
  assert.ok(limit.isOver);
  assert.equal(limit.signal.reason.name, "TimeoutError");
});

test("progress extends a limit up to its total length", async () => {
  const limitMs = 200;
  using limit = new ProgressLimit(never, limitMs);
  const begunMs = performance.now();
  while (!limit.isOver) {
    limit.progressed();
    await delay(5);
  }
  assert.ok(performance.now() - begunMs >= maxFactor * limitMs - 1);
});

test("an abort of the caller is no end of the limit", () => {
  const stop = new AbortController();
  using limit = new ProgressLimit(stop.signal, 60_000);
  stop.abort(new Error("gone"));
  assert.ok(limit.signal.aborted && !limit.isOver);
});
