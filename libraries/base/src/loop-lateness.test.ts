import assert from "node:assert/strict";
import { test } from "node:test";
import { LoopLateness } from "./loop-lateness.ts";

test("a delay of the event loop counts before and after its timers have run", async () => {
  let aheadMs = 0;
  const lateness = new LoopLateness(() => performance.now() + aheadMs);
  const before = lateness.totalMs();
  aheadMs = 60_000;
  const during = lateness.totalMs() - before;
  assert.ok(during > 59_000, `${during} ms`);
  await new Promise((resolve) => setTimeout(resolve, 700));
  assert.ok(lateness.totalMs() - before >= during);
});
