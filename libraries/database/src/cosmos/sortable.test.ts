import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { sortable, sortableList, sortableParts } from "./sortable.ts";

const text = fc.string({
  unit: fc.constantFrom(
    "\x01",
    "\x02",
    "a",
    "b",
    "/",
    "\x7f",
    "\xff",
    "\ud7ff",
    "\ue000",
    "🦺",
    "\u{10ffff}",
  ),
  maxLength: 5,
});
const value = fc.oneof(text, fc.maxSafeInteger());

const byCodePoint = (left: string, right: string) => Buffer.compare(Buffer.from(left), Buffer.from(right));
const byUnit = (left: string, right: string) => Number(left > right) - Number(left < right);

function compare(left: string | number, right: string | number): number {
  if (typeof left === "number" && typeof right === "number") return Math.sign(left - right);
  return byCodePoint(String(left), String(right));
}

test("strings keep the order of their code points, as UTF-16 and as UTF-8", () => {
  fc.assert(
    fc.property(text, text, (left, right) => {
      const expected = byCodePoint(left, right);
      assert.equal(byUnit(sortable(left), sortable(right)), expected);
      assert.equal(byCodePoint(sortable(left), sortable(right)), expected);
    }),
  );
});

test("whole numbers keep their order", () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.maxSafeInteger(), (left, right) => {
      assert.equal(byUnit(sortable(left), sortable(right)), compare(left, right));
    }),
  );
});

test("lists are ordered by their first value, then by the next, and come apart again", () => {
  const pair = fc.oneof(
    fc.tuple(fc.tuple(text, text), fc.tuple(text, text)),
    fc.tuple(fc.tuple(fc.maxSafeInteger(), text), fc.tuple(fc.maxSafeInteger(), text)),
  );
  fc.assert(
    fc.property(pair, ([left, right]) => {
      const expected = compare(left[0], right[0]) || compare(left[1], right[1]);
      assert.equal(byUnit(sortableList(left), sortableList(right)), expected);
    }),
  );
  fc.assert(
    fc.property(fc.array(value, { minLength: 1 }), (values) => {
      assert.deepEqual(sortableParts(sortableList(values)), values.map(sortable));
    }),
  );
});
