import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { formatGoDuration, parseGoDuration } from "./go-duration.ts";

for (const [text, ms] of [
  ["1h", 3_600_000],
  ["24h", 86_400_000],
  ["1h30m", 5_400_000],
  ["1.5h", 5_400_000],
  [".5s", 500],
  ["1.s", 1_000],
  ["-1m", -60_000],
  ["+90s", 90_000],
  ["100ms", 100],
  ["250ms", 250],
  ["0", 0],
  ["1µs", 0.001],
] as const) {
  test(`${text} is a duration`, () => assert.deepEqual(parseGoDuration(text), { kind: "duration", ms }));
}

for (const [text, message] of [
  ["", 'invalid duration ""'],
  ["-", 'invalid duration "-"'],
  ["h", 'invalid duration "h"'],
  [".s", 'invalid duration ".s"'],
  ["1", 'missing unit in duration "1"'],
  ["1srgndf", 'unknown unit "srgndf" in duration "1srgndf"'],
  ["1h2", 'missing unit in duration "1h2"'],
  ["1d", 'unknown unit "d" in duration "1d"'],
  ["1h ", 'unknown unit "h " in duration "1h "'],
  ["h1", 'invalid duration "h1"'],
  ["1h-1m", 'unknown unit "h-" in duration "1h-1m"'],
  ["1toString", 'unknown unit "toString" in duration "1toString"'],
  ["9999999999h", 'invalid duration "9999999999h"'],
] as const) {
  test(`${text || "nothing"} is refused`, () => {
    assert.deepEqual(parseGoDuration(text), { kind: "problem", message });
  });
}

test("hours, minutes and seconds add up, and invalid strings do not throw", () => {
  const whole = fc.integer({ min: 0, max: 1_000 });
  fc.assert(
    fc.property(whole, whole, whole, fc.string(), (hours, minutes, seconds, other) => {
      const ms = ((hours * 60 + minutes) * 60 + seconds) * 1_000;
      assert.deepEqual(parseGoDuration(`${hours}h${minutes}m${seconds}s`), { kind: "duration", ms });
      parseGoDuration(other);
    }),
  );
});

for (const [ms, text] of [
  [0, "0s"],
  [8_400, "8s"],
  [285_000, "4m45s"],
  [3_600_000, "1h0m0s"],
  [360 * 3_600_000, "360h0m0s"],
] as const)
  test(`${ms} ms are formatted as ${text}`, () => assert.equal(formatGoDuration(ms), text));
