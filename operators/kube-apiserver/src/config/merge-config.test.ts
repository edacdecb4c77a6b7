import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@keelson/base";
import fc from "fast-check";
import { mergeConfig } from "./merge-config.ts";

const rows: readonly (readonly [string, JsonObject, JsonObject, JsonObject])[] = [
  ["members are joined", { a: { x: 1 } }, { a: { y: 2 } }, { a: { x: 1, y: 2 } }],
  ["a list replaces a list", { a: [1, 2] }, { a: [3] }, { a: [3] }],
  ["null replaces a value and stays", { a: 1 }, { a: null }, { a: null }],
  ["a text replaces an object", { a: { x: 1 } }, { a: "" }, { a: "" }],
  ["an object replaces a number", { a: 1 }, { a: { x: 1 } }, { a: { x: 1 } }],
  [
    "a layer without type goes over one with",
    { kind: "K", apiVersion: "v1" },
    { a: 1 },
    { kind: "K", apiVersion: "v1", a: 1 },
  ],
];
for (const [name, below, added, merged] of rows)
  test(name, () => assert.deepEqual(mergeConfig([below, added]), merged));

test("absent layers are skipped", () => {
  assert.deepEqual(mergeConfig([undefined, { a: 1 }, null, { b: 2 }]), { a: 1, b: 2 });
});

test("a layer of another kind is refused", () => {
  assert.throws(() => mergeConfig([{ apiVersion: "v1", kind: "A" }, { kind: "Other" }]), {
    message: "/Other does not equal v1/A",
  });
});

const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, 1, "x", true),
    fc.array(fc.constantFrom(1, "a"), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom("a", "b", "c", "__proto__x"), tie("value"), { maxKeys: 3 }),
  ),
})).value;
const layer = fc.dictionary(fc.constantFrom("a", "b", "c"), json) as fc.Arbitrary<JsonObject>;

test("merging is idempotent, and the last layer always wins", () => {
  fc.assert(
    fc.property(layer, layer, (below, added) => {
      const merged = mergeConfig([below, added]);
      assert.deepEqual(mergeConfig([merged, added]), merged);
      assert.deepEqual(mergeConfig([below, added]), merged);
    }),
  );
});
