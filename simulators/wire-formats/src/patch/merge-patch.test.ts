import assert from "node:assert/strict";
import { test } from "node:test";
import { PatchError } from "@keelson/apimachinery";
import { isPlainObject } from "@keelson/base";
import fc from "fast-check";
import { applyMergePatch } from "./merge-patch.ts";

test("the examples of RFC 7386, appendix A", () => {
  const rows: readonly [object: Record<string, unknown>, patch: Record<string, unknown>, result: object][] = [
    [{ a: "b" }, { a: "c" }, { a: "c" }],
    [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
    [{ a: "b" }, { a: null }, {}],
    [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
    [{ a: ["b"] }, { a: "c" }, { a: "c" }],
    [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
    [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
    [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ];
  for (const [object, patch, result] of rows) assert.deepEqual(applyMergePatch(object, patch), result);
});

test("nulls of objects in lists are removed, unless the list replaces an object", () => {
  const list = [{ a: null, b: [{ c: null }], d: { e: null } }, null, [null, { f: null }]];
  const pruned = [{ b: [{}], d: {} }, null, [null, {}]];
  for (const before of [undefined, null, 1, "x", [{ a: 1 }]])
    assert.deepEqual(applyMergePatch({ l: before }, { l: list }), { l: pruned });
  assert.deepEqual(applyMergePatch({}, { o: { l: list } }), { o: { l: pruned } });
  assert.deepEqual(applyMergePatch({ l: { a: 1 } }, { l: list }), { l: list });
});

test("a body that is not an object is rejected with 400", () => {
  for (const patch of [[], "x", 1, null, undefined]) {
    assert.throws(
      () => applyMergePatch({}, patch),
      (error) => error instanceof PatchError && error.status === 400,
    );
  }
});

test("a property __proto__ is ordinary data in a merge patch", () => {
  const result = applyMergePatch({}, JSON.parse('{"a": {"__proto__": {"polluted": true}}}'));
  assert.equal(JSON.stringify(result), '{"a":{"__proto__":{"polluted":true}}}');
  assert.equal(Reflect.get({}, "polluted"), undefined);
});

const object = fc
  .dictionary(fc.constantFrom("a", "b", "c"), fc.jsonValue({ maxDepth: 3 }))
  .map((value): Record<string, unknown> => structuredClone(value));

test("a merge patch is idempotent and does not change its inputs", () => {
  fc.assert(
    fc.property(object, object.map(withPrunedLists), (target, patch) => {
      const before = structuredClone({ target, patch });
      const once = applyMergePatch(target, patch);
      assert.deepEqual(applyMergePatch(once, patch), once);
      assert.deepEqual({ target, patch }, before);
    }),
  );
});

test("the difference of two objects converts one to the other", () => {
  fc.assert(
    fc.property(object.map(withoutNulls), object.map(withoutNulls), (from, to) => {
      assert.deepEqual(applyMergePatch(from, difference(from, to)), to);
    }),
  );
});

function difference(from: unknown, to: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const present = isPlainObject(from) ? from : {};
  const removed = Object.keys(present).filter((member) => !Object.hasOwn(to, member));
  return Object.fromEntries([
    ...removed.map((member): [string, unknown] => [member, null]),
    ...Object.entries(to).map(([member, value]): [string, unknown] => [
      member,
      isPlainObject(value) ? difference(present[member], value) : value,
    ]),
  ]);
}

/** Removes nulls in objects. In a merge patch, a null deletes a property. */
function withoutNulls(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null)
      .map(([member, inner]) => [member, pruned(inner)]),
  );
}

function pruned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pruned);
  return isPlainObject(value) ? withoutNulls(value) : value;
}

/**
 * Removes nulls in lists. If a list replaces an object, the first patch keeps the list's nulls, but a second patch would remove
 * them.
 */
function withPrunedLists(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([member, inner]) => [
      member,
      isPlainObject(inner) ? withPrunedLists(inner) : Array.isArray(inner) ? pruned(inner) : inner,
    ]),
  );
}
