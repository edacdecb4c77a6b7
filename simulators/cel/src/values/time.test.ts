import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isTimestamp, parseTimestamp } from "./time.ts";

const digits = (most: number, width = 2) =>
  fc.integer({ min: 0, max: most }).map((number) => `${number}`.padStart(width, "0"));
const stamp = fc
  .tuple(digits(9_999, 4), digits(14), digits(33), digits(25), digits(61), digits(61))
  .map(([year, month, day, hour, minute, second]) => `${year}-${month}-${day}T${hour}:${minute}:${second}Z`);

test("a string is a time exactly if it can be parsed as one", () => {
  fc.assert(
    fc.property(stamp, (text) => {
      assert.equal(isTimestamp(text), parseTimestamp(text) !== undefined);
    }),
  );
});

for (const [text, is] of [
  ["2028-02-29T00:00:00Z", true],
  ["2026-02-29T00:00:00Z", false],
  ["2026-06-31T00:00:00Z", false],
  ["2026-06-30t23:59:59.123456z", true],
  ["2026-06-30T23:59:59+02:00", true],
  ["2026-06-30T24:00:00Z", false],
  ["2026-06-30 23:59:59Z", false],
  ["2026-06-30T23:59:59", false],
  ["2026-06-01T00:00:00Z\n", false],
] as const) {
  test(`${JSON.stringify(text)} is ${is ? "a" : "not a"} time of RFC 3339`, () => {
    assert.equal(isTimestamp(text), is);
  });
}
