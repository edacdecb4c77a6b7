import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@keelson/base/testing";
import { ProgressLimit } from "./progress-limit.ts";

test("only new states extend the limit, at most to three times its length", async () => {
  const clock = new ManualClock();
  const limit = new ProgressLimit(clock, 60_000);
  limit.observe("a");
  await clock.advance(50_000);
  limit.observe("b");
  await clock.advance(50_000);
  assert.equal(limit.isOver, false);
  limit.observe("b");
  await clock.advance(10_000);
  assert.equal(limit.isOver, true);
  limit.observe("c");
  assert.equal(limit.isOver, false);
  await clock.advance(50_000);
  limit.observe("d");
  await clock.advance(20_000);
  assert.equal(limit.isOver, true);
});
