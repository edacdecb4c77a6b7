import assert from "node:assert/strict";
import { test } from "node:test";
import {
  atOnce,
  intersection,
  isEmpty,
  type KubeObject,
  type ManagedFieldsEntry,
  pathsOf,
  StatusError,
  union,
} from "@keelson/apimachinery";
import fc from "fast-check";
import { type Applied, applyObject } from "./apply.ts";
import { compare } from "./compare.ts";
import { type FieldSchema, leafSchema } from "./field-schema.ts";
import { everyField, namedFields } from "./fields-of.ts";
import { merge } from "./merge.ts";

const struct = (fields: Record<string, FieldSchema>): FieldSchema => ({
  kind: "struct",
  fields: new Map(Object.entries(fields)),
  others: undefined,
  implicitFields: new Set(),
});
const schema: FieldSchema = {
  kind: "struct",
  fields: new Map<string, FieldSchema | undefined>([
    ["apiVersion", undefined],
    ["kind", undefined],
    ["metadata", undefined],
    ["map", { kind: "map", values: leafSchema }],
    ["set", { kind: "set", items: leafSchema }],
    [
      "list",
      {
        kind: "list",
        keys: ["name"],
        defaults: {},
        items: struct({ name: leafSchema, x: leafSchema, y: leafSchema }),
      },
    ],
    ["whole", leafSchema],
  ]),
  others: undefined,
  implicitFields: new Set(),
};

const value = fc.integer({ min: 0, max: 2 });
const spec = fc.record(
  {
    map: fc.dictionary(fc.constantFrom("a", "b", "c"), value, { minKeys: 1, noNullPrototype: true }),
    set: fc.uniqueArray(fc.constantFrom("p", "q", "r"), { minLength: 1 }),
    list: fc.uniqueArray(
      fc.record(
        { name: fc.constantFrom("m", "n", "o"), x: value, y: value },
        { requiredKeys: ["name"], noNullPrototype: true },
      ),
      { selector: ({ name }) => name, minLength: 1 },
    ),
    whole: fc.array(value, { maxLength: 2 }),
  },
  { requiredKeys: [], noNullPrototype: true },
);
const manager = fc.constantFrom("one", "two", "three");
const objectOf = (fields: object): KubeObject => ({
  apiVersion: "v1",
  kind: "Thing",
  metadata: { name: "t" },
  ...fields,
});

function apply(
  state: Applied | undefined,
  name: string,
  fields: object,
  force: boolean,
  now = "2020-01-01T00:00:00Z",
): Applied {
  return applyObject({
    live: state?.object,
    applied: objectOf(fields),
    managers: state?.managers ?? [],
    writer: { manager: name, subresource: "", apiVersion: "v1", now },
    force,
    schema,
    viewIn: () => ({ schema, show: (object) => object }),
  });
}

/** Reference model. It stores the last applied leaves of each manager by path. The object is the union of all leaves. */
class Model {
  readonly owned = new Map<string, ReadonlyMap<string, string>>();
  readonly values = new Map<string, string>();

  conflicts(name: string, fields: object): readonly string[] {
    const wanted = leavesOf(fields);
    return [...wanted].flatMap(([path, text]) => {
      if (this.values.get(path) === text) return [];
      const owner = [...this.owned].some(([other, paths]) => other !== name && paths.has(path));
      return owner ? [path] : [];
    });
  }

  apply(name: string, fields: object): void {
    const wanted = leavesOf(fields);
    for (const [other, paths] of this.owned) {
      if (other === name) continue;
      const kept = [...paths].filter(
        ([path]) => !wanted.has(path) || wanted.get(path) === this.values.get(path),
      );
      this.owned.set(other, new Map(kept));
    }
    for (const path of this.owned.get(name)?.keys() ?? []) {
      const others = [...this.owned].some(([other, paths]) => other !== name && paths.has(path));
      if (!others && !wanted.has(path)) this.values.delete(path);
    }
    for (const [path, text] of wanted) this.values.set(path, text);
    this.owned.set(name, wanted);
  }
}

/**
 * Returns the leaves, list items and map keys of an object as strings. Each nested object or list is represented only by a marker
 * for its existence.
 */
function leavesOf(fields: object): ReadonlyMap<string, string> {
  const leaves = new Map<string, string>();
  for (const path of pathsOf(atOnce(namedFields(schema, fields)))) {
    leaves.set(JSON.stringify(path), JSON.stringify(valueAt(fields, path)));
  }
  return leaves;
}

function valueAt(from: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, element) => {
    if (!Array.isArray(inner)) return Reflect.get(Object(inner), element.slice(2));
    const key: unknown = JSON.parse(element.slice(2));
    const found: unknown = inner.find((item) =>
      element.startsWith("v:")
        ? item === key
        : Reflect.get(Object(item), "name") === Reflect.get(Object(key), "name"),
    );
    // If an item consists only of keys, the test compares only the existence of the item.
    return element === path.at(-1) && element.startsWith("k:") ? true : found;
  }, from);
}

test("random applies of three managers agree with a reference model: values, owners and conflicts", () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ name: manager, fields: spec, force: fc.boolean() }), { maxLength: 8 }),
      (steps) => {
        const model = new Model();
        let state: Applied | undefined;
        for (const { name, fields, force } of steps) {
          const conflicts = force ? [] : model.conflicts(name, fields);
          const attempt = () => apply(state, name, fields, force);
          if (conflicts.length > 0) {
            assert.throws(attempt, (error) => {
              assert.ok(error instanceof StatusError && error.code === 409);
              // If several managers own a field, the error has one cause for each of these managers.
              const named = new Set(error.details?.causes?.map((cause) => cause.field));
              assert.equal(named.size, conflicts.length);
              return true;
            });
            continue;
          }
          state = attempt();
          model.apply(name, fields);
          assert.deepEqual(leavesOf(withoutMeta(state.object)), model.values);
          for (const entry of state.managers) {
            const paths = [...pathsOf(entry.fieldsV1)].map((path) => JSON.stringify(path)).sort();
            assert.deepEqual(paths, [...(model.owned.get(entry.manager)?.keys() ?? [])].sort());
          }
        }
      },
    ),
    { numRuns: 300 },
  );
});

const withoutMeta = ({ apiVersion: _a, kind: _k, metadata: _m, ...fields }: KubeObject) => fields;

test("a repeated apply changes nothing, not even the time, and applied values are present", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(manager, spec), { minLength: 1, maxLength: 5 }), (steps) => {
      let state: Applied | undefined;
      for (const [name, fields] of steps) state = apply(state, name, fields, true);
      const [name, fields] = steps.at(-1) ?? ["one", {}];
      const again = apply(state, name, fields, false, "2030-01-01T00:00:00Z");
      assert.deepEqual(again, state);
      const { modified, added } = compare(
        schema,
        again.object,
        merge(schema, again.object, objectOf(fields)),
      );
      assert.ok(isEmpty(modified) && isEmpty(added));
    }),
  );
});

test("a merged list keeps the order of applied items and of live items", () => {
  const items = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e", "f"));
  fc.assert(
    fc.property(items, items, (live, applied) => {
      const merged = merge({ kind: "set", items: leafSchema }, live, applied);
      assert.ok(Array.isArray(merged));
      assert.deepEqual(new Set(merged), new Set([...live, ...applied]));
      assert.deepEqual(
        merged.filter((each) => applied.includes(each)),
        applied,
      );
      const own = live.filter((each) => !applied.includes(each));
      assert.deepEqual(
        merged.filter((each) => own.includes(each)),
        own,
      );
    }),
  );
  const rows: readonly [live: string, applied: string, merged: string][] = [
    ["abc", "bd", "abcd"],
    ["ab", "ba", "ba"],
    ["xa", "na", "xna"],
    ["ax", "xna", "xna"],
    ["abcd", "dx", "abcdx"],
  ];
  for (const [live, applied, merged] of rows) {
    assert.deepEqual(
      merge({ kind: "set", items: leafSchema }, [...live], [...applied]),
      [...merged],
      `${live} + ${applied}`,
    );
  }
});

test("a comparison returns exactly the added, removed and modified fields", () => {
  fc.assert(
    fc.property(spec, spec, (before, after) => {
      const { added, modified, removed } = compare(schema, objectOf(before), objectOf(after));
      assert.ok(isEmpty(intersection(added, removed)));
      assert.ok(isEmpty(intersection(added, atOnce(everyField(schema, before)))));
      assert.ok(isEmpty(intersection(removed, atOnce(everyField(schema, after)))));
      const back = compare(schema, objectOf(after), objectOf(before));
      assert.deepEqual([back.added, back.removed].map(texts), [removed, added].map(texts));
      assert.deepEqual(texts(back.modified), texts(modified));
      const all = atOnce(everyField(schema, after));
      const left = union(union(added, modified), intersection(all, atOnce(everyField(schema, before))));
      assert.deepEqual(texts(left), texts(all));
    }),
  );
});

const texts = (set: Parameters<typeof pathsOf>[0]) =>
  [...pathsOf(set)].map((path) => JSON.stringify(path)).sort();

test("the entry of the current write follows entries of the same second; older entries sort by name", () => {
  let state: Applied | undefined;
  const names = () => (state?.managers ?? []).map(({ manager: each }: ManagedFieldsEntry) => each);
  for (const name of ["z", "m"]) state = apply(state, name, { map: { [name]: 1 } }, false);
  assert.deepEqual(names(), ["z", "m"]);
  state = apply(state, "a", { map: { a: 1 } }, false);
  assert.deepEqual(names(), ["m", "z", "a"]);
});

test("only the key of duplicate list items is owned, and a comparison treats them as one value", () => {
  const items = (...xs: readonly number[]) => objectOf({ list: xs.map((x) => ({ name: "m", x })) });
  const key = ["f:list", 'k:{"name":"m"}'];
  const paths = (...of: readonly (readonly string[])[]) => of.map((path) => JSON.stringify(path)).sort();
  const list = ["f:list"];
  const single = [key, [...key, "f:name"], [...key, "f:x"]];
  assert.deepEqual(
    texts(
      atOnce(
        everyField(schema, {
          list: [
            { name: "m", x: 1 },
            { name: "m", x: 2 },
          ],
        }),
      ),
    ),
    [...paths(list, key)],
  );
  const rows: readonly [
    before: KubeObject,
    after: KubeObject,
    added: object,
    modified: object,
    removed: object,
  ][] = [
    [items(1, 2), items(1, 2), [], [], []],
    [items(1, 2), items(2, 1), [], [key], []],
    [items(1), items(1, 2), [key], [], single],
    [items(1, 2), items(1), single, [], [key]],
  ];
  for (const [before, after, ...expected] of rows) {
    const { added, modified, removed } = compare(schema, before, after);
    const found = [added, modified, removed].map(texts);
    assert.deepEqual(
      found,
      expected.map((each) => paths(...Object.values(each))),
    );
  }
});

test("an applied item replaces duplicates of the live list completely", () => {
  const live = {
    list: [
      { name: "m", x: 1 },
      { name: "m", y: 2 },
      { name: "n", x: 3 },
    ],
  };
  assert.deepEqual(merge(schema, live, { list: [{ name: "m", x: 9 }] }), {
    list: [
      { name: "m", x: 9 },
      { name: "n", x: 3 },
    ],
  });
});
