import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { exactJson, parseExactJson } from "./exact-json.ts";
import { isPlainObject } from "./json.ts";

test("integers of 64 bits come back from JSON as they went in, wherever they are", () => {
  const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 4 }, int64, fc.string(), fc.boolean(), tie("list"), tie("object")),
    list: fc.array(tie("value")),
    object: fc.dictionary(fc.string(), tie("value"), { noNullPrototype: true }),
  }));
  fc.assert(
    fc.property(value, (each) => {
      assert.deepEqual(parseExactJson(exactJson(each)), withNumbers(each));
    }),
  );
});

/** Converts bigints to numbers if they are safe integers. */
function withNumbers(value: unknown): unknown {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (Array.isArray(value)) return value.map(withNumbers);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withNumbers(member)]));
}

for (const [text, value] of [
  ["9007199254740991", 9007199254740991],
  ["9007199254740992", 9007199254740992n],
  ["-9007199254740993", -9007199254740993n],
  ["9223372036854775807", 9223372036854775807n],
  ["-9223372036854775808", -9223372036854775808n],
  ["9223372036854775808", 2 ** 63],
  ["9007199254740993.0", 9007199254740992],
  ["9007199254740993e0", 9007199254740992],
  ['"9007199254740993"', "9007199254740993"],
  ["[1,\n9007199254740993]", [1, 9007199254740993n]],
  ['{"a" : 9007199254740993}', { a: 9007199254740993n }],
] as const) {
  test(`${JSON.stringify(text)} is read as Go reads it`, () => assert.deepEqual(parseExactJson(text), value));
}

test("values that JSON cannot represent become null, and cycles are rejected", () => {
  assert.equal(exactJson(undefined), "null");
  const cycle: unknown[] = [1n];
  cycle.push(cycle);
  assert.throws(() => exactJson(cycle), TypeError);
});
