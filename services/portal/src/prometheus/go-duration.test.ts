import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseGoDuration } from "./go-duration.ts";

test("durations are read as Go reads them", () => {
  const cases: Readonly<Record<string, number | undefined>> = {
    "1h": 3_600_000,
    "1h30m": 5_400_000,
    "1.5h": 5_400_000,
    "100ms": 100,
    "-1m": -60_000,
    "+5s": 5_000,
    "0": 0,
    ".5s": 500,
    "": undefined,
    "1": undefined,
    "1d": undefined,
    "1h ": undefined,
    h1: undefined,
    "-": undefined,
    "1h-1m": undefined,
  };
  for (const [text, expected] of Object.entries(cases)) assert.equal(parseGoDuration(text), expected, text);
});

test("sums of parts are read as sums, and no text is more than none", () => {
  const numbers = fc.tuple(fc.nat(999), fc.nat(59), fc.nat(59));
  fc.assert(
    fc.property(numbers, ([h, m, s]) => {
      assert.equal(parseGoDuration(`${h}h${m}m${s}s`), ((h * 60 + m) * 60 + s) * 1_000);
    }),
  );
  fc.assert(
    fc.property(fc.string(), (text) => {
      const parsed = parseGoDuration(text);
      assert.ok(parsed === undefined || Number.isFinite(parsed));
    }),
  );
});
