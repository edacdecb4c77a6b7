import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { rowRange } from "./visible-rows.ts";

const heights = fc.array(fc.integer({ min: 20, max: 400 }), { maxLength: 3_000 });

test("the range has every row in the window, few others, and keeps the height of the list", () => {
  fc.assert(
    fc.property(
      heights,
      fc.integer({ min: -2_000, max: 500_000 }),
      fc.integer({ min: 300, max: 2_000 }),
      (rows, scrolled, height) => {
        const { from, to, before, after } = rowRange(rows.length, (row) => rows[row] ?? 0, {
          scrolled,
          height,
        });
        const sum = (part: readonly number[]) => part.reduce((total, each) => total + each, 0);
        assert.ok(0 <= from && from <= to && to <= rows.length);
        assert.equal(before, sum(rows.slice(0, from)));
        assert.equal(after, sum(rows.slice(to)));
        assert.ok(to - from <= height / 20 + 45);
        let top = -scrolled;
        for (const [row, each] of rows.entries()) {
          if (top + each > 0 && top < height) assert.ok(from <= row && row < to, `row ${row}`);
          top += each;
        }
      },
    ),
    { numRuns: 60 },
  );
});

test("a window below the end of the list shows its last rows", () => {
  const { to, from } = rowRange(1_000, () => 50, { scrolled: 1_000_000, height: 900 });
  assert.equal(to, 1_000);
  assert.ok(to - from > 15);
});
