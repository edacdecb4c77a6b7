import assert from "node:assert/strict";
import { test } from "node:test";
import { parseDurationMs } from "./sim-clock.ts";

const durations: readonly (readonly [text: string, ms: number])[] = [
  ["90d", 90 * 86_400_000],
  ["1d6h30m5s", 109_805_000],
  ["45s", 45_000],
];
for (const [text, ms] of durations)
  test(`${text} is ${ms} ms`, () => {
    assert.equal(parseDurationMs(text), ms);
  });

for (const text of ["", "90", "1h1d", "-1d", "0s", "1.5h", "d"])
  test(`"${text}" is no duration`, () => {
    assert.throws(() => parseDurationMs(text), /expected days, hours/);
  });
