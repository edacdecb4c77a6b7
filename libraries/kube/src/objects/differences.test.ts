import assert from "node:assert/strict";
import { test } from "node:test";
import { mergePatch } from "@keelson/base";
import fc from "fast-check";
import { differences } from "./differences.ts";

test("only what the wanted object names counts", () => {
  const rows: readonly [live: object, wanted: object, patch: object | undefined][] = [
    [{ a: 1, b: 2 }, { a: 1 }, undefined],
    [{ a: 1 }, { a: 2 }, { a: 2 }],
    [{ a: { x: 1, y: 2 } }, { a: { y: 3 } }, { a: { y: 3 } }],
    [{ a: { x: 1 } }, { a: [1] }, { a: [1] }],
    [{ a: [{ name: "x", defaulted: true }] }, { a: [{ name: "x" }] }, undefined],
    [{ a: [{ name: "x" }] }, { a: [] }, { a: [] }],
    [{ a: ["x", "y"] }, { a: ["y", "x"] }, { a: ["y", "x"] }],
    [{}, { a: undefined }, undefined],
    [{ b: 1 }, { a: null, b: null }, { b: null }],
    [{}, { a: { x: null, y: { z: null } } }, undefined],
    [{}, { a: { x: null, y: 1 } }, { a: { x: null, y: 1 } }],
    [{}, { a: {} }, { a: {} }],
    [{}, { toString: "x" }, { toString: "x" }],
  ];
  for (const [live, wanted, patch] of rows) {
    assert.deepEqual(differences({ ...live }, { ...wanted }), patch, JSON.stringify(wanted));
  }
});

test("once applied, nothing differs any more", () => {
  const value = fc.jsonValue({ maxDepth: 3, noUnicodeString: true });
  const object = fc.dictionary(fc.constantFrom("a", "b", "c"), value);
  fc.assert(
    fc.property(object, object, (live, wanted) => {
      const patch = differences(live, wanted);
      if (patch) assert.equal(differences(Object(mergePatch(live, patch)), wanted), undefined);
    }),
  );
});
