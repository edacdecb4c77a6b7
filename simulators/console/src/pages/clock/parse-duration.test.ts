import assert from "node:assert/strict";
import { test } from "node:test";
import { parseDuration } from "./parse-duration.ts";

for (const [text, ms] of [
  ["90d", 90 * 86_400_000],
  ["1d 6h30m5s", 109_805_000],
  ["0s", undefined],
  ["", undefined],
  ["h", undefined],
  ["1m1h", undefined],
  ["-1d", undefined],
] as const)
  test(`the duration ${JSON.stringify(text)} has ${ms} milliseconds`, () => {
    assert.equal(parseDuration(text), ms);
  });
