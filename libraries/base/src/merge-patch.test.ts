import assert from "node:assert/strict";
import { test } from "node:test";
import { mergePatch } from "./merge-patch.ts";

/** Examples of RFC 7386, Appendix A, and cases with undefined fields. */
for (const [target, patch, expected] of [
  [{ a: "b" }, { a: "c" }, { a: "c" }],
  [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
  [{ a: "b" }, { a: null }, {}],
  [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
  [{ a: ["b"] }, { a: "c" }, { a: "c" }],
  [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
  [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
  [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
  [
    ["a", "b"],
    ["c", "d"],
    ["c", "d"],
  ],
  [{ a: "b" }, ["c"], ["c"]],
  [{ a: "foo" }, null, null],
  [{ a: "foo" }, "bar", "bar"],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: "b", c: null }, { a: "b" }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  [{ a: "b" }, { a: undefined }, { a: "b" }],
] as const)
  test(`mergePatch of ${JSON.stringify(target)} with ${JSON.stringify(patch)}`, () =>
    assert.deepEqual(mergePatch(target, patch), expected));

test("mergePatch keeps a field named __proto__", () => {
  const patch: unknown = JSON.parse('{"__proto__":{"a":1}}');
  assert.equal(JSON.stringify(mergePatch({}, patch)), '{"__proto__":{"a":1}}');
});
