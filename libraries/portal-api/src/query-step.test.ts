import assert from "node:assert/strict";
import { test } from "node:test";
import { queryStepSeconds } from "./query-step.ts";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
for (const [range, ms, expected] of [
  ["1m", minuteMs, 15],
  ["1h", 60 * minuteMs, 15],
  ["1d", dayMs, 360],
  ["4w", 28 * dayMs, 10_080],
  ["8w", 56 * dayMs, 20_160],
] as const)
  test(`a chart over ${range} has a step of ${expected} s`, () => {
    assert.equal(queryStepSeconds(ms), expected);
    assert.ok(ms / 1_000 / expected >= 4, "more than a dot");
    assert.ok(ms / 1_000 / expected <= 240);
  });
