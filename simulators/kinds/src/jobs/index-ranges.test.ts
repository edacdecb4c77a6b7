import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { firstShared, parseIndexRanges } from "./index-ranges.ts";

const indexes = fc.uniqueArray(fc.nat(29)).map((list) => list.toSorted((a, b) => a - b));
/** Formats indexes like the job controller. Consecutive indexes become a range. */
const textOf = (list: readonly number[]) => {
  const starts = list.filter((index) => !list.includes(index - 1));
  const ends = list.filter((index) => !list.includes(index + 1));
  return starts.map((from, at) => (from === ends[at] ? `${from}` : `${from}-${ends[at]}`)).join(",");
};
const read = (list: readonly number[]) => {
  const ranges = parseIndexRanges(textOf(list), 30);
  assert.ok(typeof ranges !== "string", String(ranges));
  return ranges;
};

test("formatted index ranges can be parsed, and the first common index is found", () => {
  fc.assert(
    fc.property(indexes, indexes, (a, b) => {
      const all = read(a).flatMap(({ from, to }) =>
        Array.from({ length: to - from + 1 }, (_, at) => from + at),
      );
      assert.deepEqual(all, a);
      assert.equal(
        firstShared(read(a), read(b)),
        a.find((index) => b.includes(index)),
      );
    }),
  );
});
