import assert from "node:assert/strict";
import { test } from "node:test";
import { formatAge, formatDuration, formatLocalTime, formatTime } from "./time.ts";

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

test("an age has its largest unit", () => {
  const nowMs = Date.parse("2026-01-03T00:00:00Z");
  for (const [time, age] of [
    ["2026-01-02T23:59:30Z", "just now"],
    ["2026-01-03T00:00:30Z", "just now"],
    ["2026-01-02T23:54:01Z", "5 min ago"],
    ["2026-01-02T01:00:00Z", "23 h ago"],
    ["2026-01-01T00:00:00Z", "2 d ago"],
    ["2026-01-03T02:30:00Z", "in 2 h"],
    ["never", "never"],
  ] as const)
    assert.equal(formatAge(time, nowMs), age);
});

test("a local time names its zone", () => {
  for (const [zone, time] of [
    ["UTC", "2026-01-01 23:30:05 UTC"],
    ["Asia/Kolkata", "2026-01-02 05:00:05 GMT+5:30"],
    ["America/New_York", "2026-01-01 18:30:05 GMT-5"],
  ] as const)
    assert.equal(formatLocalTime("2026-01-01T23:30:05Z", zone), time);
  assert.equal(formatLocalTime("never"), "never");
});
