import assert from "node:assert/strict";
import { test } from "node:test";
import { parsePositiveDuration } from "./go-duration.ts";

test("parsePositiveDuration returns milliseconds", () => {
  assert.equal(parsePositiveDuration("2m0s"), 120_000);
  assert.equal(parsePositiveDuration("1h30m"), 5_400_000);
  assert.equal(parsePositiveDuration("1.5s"), 1_500);
});

for (const text of ["", "0", "0s", "-5s", "10", "2 m", "5 minutes"])
  test(`parsePositiveDuration rejects '${text}'`, () =>
    assert.throws(() => parsePositiveDuration(text), /expected a duration above 0, for example 2m0s/));
