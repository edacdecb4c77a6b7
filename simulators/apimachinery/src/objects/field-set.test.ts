import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  difference,
  emptySet,
  type FieldSet,
  intersection,
  isEmpty,
  nodeOf,
  parseFieldSet,
  pathsOf,
  sameSet,
  union,
} from "./field-set.ts";

const element = fc.constantFrom("f:a", "f:b", 'k:{"name":"x"}', 'v:"y"', "i:0");
const paths = fc.array(fc.array(element, { minLength: 1, maxLength: 4 }), { maxLength: 12 });

/** Reference model of a field set: a set of path strings. */
const textsOf = (set: FieldSet) => new Set([...pathsOf(set)].map((path) => JSON.stringify(path)));
const setOf = (list: readonly (readonly string[])[]): FieldSet => list.map(singleton).reduce(union, emptySet);

function singleton(path: readonly string[]): FieldSet {
  const [first = "", ...rest] = path;
  return { [first]: rest.length === 0 ? {} : singleton(rest) };
}

test("union, difference and intersection equal those of path sets", () => {
  fc.assert(
    fc.property(paths, paths, (left, right) => {
      const [a, b] = [setOf(left), setOf(right)];
      const [one, other] = [textsOf(a), textsOf(b)];
      assert.deepEqual(one, new Set(left.map((path) => JSON.stringify(path))));
      assert.deepEqual(textsOf(union(a, b)), one.union(other));
      assert.deepEqual(textsOf(difference(a, b)), one.difference(other));
      assert.deepEqual(textsOf(intersection(a, b)), one.intersection(other));
    }),
  );
});

test("sets are canonical: equal sets have equal trees without empty nodes", () => {
  fc.assert(
    fc.property(paths, paths, (left, right) => {
      const [a, b] = [setOf(left), setOf(right)];
      assert.ok(sameSet(union(a, b), union(b, a)));
      assert.ok(sameSet(union(difference(a, b), intersection(a, b)), a));
      assert.ok(isEmpty(difference(a, union(a, b))));
      assert.equal(sameSet(a, b), isEmpty(difference(a, b)) && isEmpty(difference(b, a)));
    }),
  );
});

test("parsing accepts fields marked with a dot or without children", () => {
  fc.assert(
    fc.property(paths, (list) => {
      const set = setOf(list);
      const read = parseFieldSet(JSON.parse(JSON.stringify(set)));
      assert.ok(read && sameSet(read, set));
    }),
  );
  const dotted = parseFieldSet({ "f:a": { ".": {} } });
  assert.ok(dotted && sameSet(union(dotted, emptySet), { "f:a": {} }));
});

test("invalid sets are rejected", () => {
  const rows: readonly unknown[] = [
    1,
    [],
    { a: {} },
    { "f:a": 1 },
    { "k:x": {} },
    { "k:1": {} },
    { "v:": {} },
    { "i:a": {} },
    JSON.parse('{"__proto__": {}}'),
    Array.from({ length: 600 }).reduce((inner) => ({ "f:a": inner }), {}),
  ];
  for (const row of rows) assert.equal(parseFieldSet(row), undefined, JSON.stringify(row).slice(0, 50));
});

test("a node without children that is not in the set is removed", () => {
  assert.equal(nodeOf(false, {}), undefined);
  assert.deepEqual(nodeOf(true, { "f:a": {} }), { ".": {}, "f:a": {} });
});
