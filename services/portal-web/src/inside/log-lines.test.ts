import assert from "node:assert/strict";
import { test } from "node:test";
import { appendLines, matchingLines } from "./log-lines.ts";

test("a followed log keeps its last 10,000 lines and 5 MiB", () => {
  const numbers = Array.from({ length: 9_999 }, (_, at) => `${at}`);
  const lines = appendLines(numbers, ["a", "b", "c"]);
  assert.deepEqual([lines.length, lines[0], lines.at(-1)], [10_000, "2", "c"]);
  const large = "x".repeat(1_048_576);
  assert.equal(
    appendLines(
      Array.from({ length: 9 }, () => large),
      [large],
    ).length,
    5,
  );
});

test("lines are found in any letter case", () => {
  assert.deepEqual(matchingLines(["An error", "info", "ERROR"], "Error"), ["An error", "ERROR"]);
  assert.equal(matchingLines(["a", "b"], "").length, 2);
});
