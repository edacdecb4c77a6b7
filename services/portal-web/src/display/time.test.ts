import assert from "node:assert/strict";
import { test } from "node:test";
import { formatDuration, formatTime } from "./time.ts";

test("times are shown in UTC to the second, other text as it is", () => {
  assert.equal(formatTime("2026-11-27T01:52:46.123Z"), "2026-11-27 01:52:46 UTC");
  assert.equal(formatTime("2026-11-27T03:52:46+02:00"), "2026-11-27 01:52:46 UTC");
  assert.equal(formatTime("Unknown"), "Unknown");
  assert.equal(formatTime(""), "–");
});

for (const [ms, shown] of [
  [0, "0 s"],
  [-5, "0 s"],
  [340, "0.3 s"],
  [9_960, "10 s"],
  [42_000, "42 s"],
  [59_600, "1 min"],
  [65_000, "1 min 5 s"],
  [3_900_000, "1 h 5 min"],
  [3_605_000, "1 h"],
  [90_000_000, "1 d 1 h"],
] as const)
  test(`${ms} ms are shown as ${shown}`, () => assert.equal(formatDuration(ms), shown));
