import assert from "node:assert/strict";
import { test } from "node:test";
import { ageOf, humanDuration } from "./age.ts";

test("durations are formatted like kubectl's", () => {
  const rows: readonly [seconds: number, shown: string][] = [
    [-5, "<invalid>"],
    [-1, "0s"],
    [0, "0s"],
    [119, "119s"],
    [120, "2m"],
    [312, "5m12s"],
    [600, "10m"],
    [3 * 3600 - 1, "179m"],
    [3 * 3600, "3h"],
    [3 * 3600 + 1200, "3h20m"],
    [8 * 3600, "8h"],
    [47 * 3600, "47h"],
    [48 * 3600, "2d"],
    [50 * 3600, "2d2h"],
    [8 * 86_400, "8d"],
    [729 * 86_400, "729d"],
    [730 * 86_400, "2y"],
    [831 * 86_400, "2y101d"],
    [9 * 365 * 86_400, "9y"],
  ];
  for (const [seconds, shown] of rows) assert.equal(humanDuration(seconds * 1000), shown);
});

test("an age without a time is unknown, and with an invalid time it is invalid", () => {
  const now = new Date("2026-01-01T00:00:47Z");
  assert.equal(ageOf(undefined, now), "<unknown>");
  assert.equal(ageOf("soon", now), "<invalid>");
  assert.equal(ageOf("2026-01-01T00:00:00Z", now), "47s");
});
