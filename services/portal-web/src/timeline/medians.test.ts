import assert from "node:assert/strict";
import { test } from "node:test";
import { comparedToMedian, mediansOf, medianText } from "./medians.ts";

const medians = mediansOf({
  steps: [
    { name: "a", medianMs: 42_000, count: 12 },
    { name: "instant", medianMs: 0, count: 1 },
  ],
});

test("a step's duration is compared with the fleet's median", () => {
  assert.equal(medianText(medians.get("a")), "fleet median 42 s (12 steps)");
  assert.equal(comparedToMedian(105_000, medians.get("a")), "2.5 × 42 s");
  assert.equal(comparedToMedian(5_000, medians.get("instant")), "0 s");
});

test("a step without a median has no comparison, also before the response arrives", () => {
  assert.equal(medianText(medians.get("b")), "");
  assert.equal(comparedToMedian(1, medians.get("b")), "–");
  assert.equal(mediansOf(undefined).size, 0);
});
