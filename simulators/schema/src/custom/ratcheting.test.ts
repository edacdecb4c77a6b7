import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { withDefaults } from "./defaults.ts";
import { prune } from "./prune.ts";
import { parseSchema } from "./structural-schema.ts";
import { validateCustom } from "./validate-custom.ts";

/** Schemas with constraints and rules that random values rarely satisfy. */
const leaf = fc.constantFrom<Readonly<Record<string, unknown>>>(
  { type: "string", maxLength: 2 },
  { type: "string", pattern: "^x+$", default: "x" },
  { type: "integer", minimum: 5 },
  { type: "integer", "x-kubernetes-validations": [{ rule: "self > 100" }] },
  { type: "string", enum: ["one", "two"] },
  { type: "string", format: "date-time" },
  { type: "boolean", nullable: true },
  { "x-kubernetes-int-or-string": true },
  { type: "array", items: { type: "string", minLength: 3 }, maxItems: 1 },
  { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
  {
    type: "object",
    properties: { a: { type: "string" } },
    required: ["a"],
    "x-kubernetes-validations": [{ rule: "has(self.a) && self.a != ''", reason: "FieldValueForbidden" }],
  },
);
const names = fc.constantFrom("a", "b", "c");
const schemas = fc.tuple(fc.dictionary(names, leaf), fc.dictionary(names, leaf)).map(([inner, outer]) =>
  parseSchema({
    type: "object",
    properties: {
      spec: { type: "object", properties: { ...outer, deep: { type: "object", properties: inner } } },
    },
  }),
);
const values = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.string()),
  fc.constant({}),
);
const objects = fc.tuple(fc.dictionary(names, values), fc.dictionary(names, values)).map(([outer, deep]) => ({
  apiVersion: "example.com/v1",
  kind: "Thing",
  metadata: { name: "a" },
  spec: { ...outer, deep },
}));

test("an unchanged object is accepted regardless of its schema", () => {
  fc.assert(
    fc.property(schemas, objects, (schema, object) => {
      assert.deepEqual(validateCustom(schema, { object, current: structuredClone(object) }), []);
    }),
  );
});

test("an unchanged part is accepted, while the rest is validated as if it were new", () => {
  fc.assert(
    fc.property(schemas, objects, fc.integer({ min: 1 }), (schema, object, generation) => {
      const current = { ...object, metadata: { name: "a", generation } };
      assert.deepEqual(validateCustom(schema, { object, current }), []);
    }),
  );
});

test("pruning and defaulting are idempotent", () => {
  fc.assert(
    fc.property(schemas, objects, (schema, object) => {
      const once = withDefaults(schema, prune(schema, object).value);
      const again = prune(schema, once);
      assert.deepEqual(again, { value: once, removed: [] });
      assert.deepEqual(withDefaults(schema, again.value), once);
    }),
  );
});

test("a reordered list of type map is unchanged at any depth, but not with a different element", () => {
  const pair = { type: "object", properties: { key: { type: "string" }, value: { type: "string" } } };
  const list = {
    type: "array",
    maxItems: 1,
    items: { ...pair, required: ["key"] },
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["key"],
  };
  const spec = { type: "object", properties: { list, deep: { type: "object", additionalProperties: list } } };
  const schema = parseSchema({ type: "object", properties: { spec, status: spec } });
  const elements = fc.uniqueArray(fc.record({ key: fc.string(), value: fc.string() }), {
    selector: ({ key }) => key,
    minLength: 2,
  });
  fc.assert(
    fc.property(elements, fc.constantFrom("spec", "status"), fc.boolean(), (before, part, deep) => {
      const object = (elements: readonly object[]) => ({
        apiVersion: "example.com/v1",
        kind: "Thing",
        metadata: { name: "a" },
        [part]: deep ? { deep: { k: elements } } : { list: elements },
      });
      const current = object(before);
      const judge = (after: readonly object[]) => {
        const statusOnly = part === "status";
        return validateCustom(schema, { object: object(after), current, statusOnly }).length;
      };
      assert.equal(judge(before.toReversed()), 0);
      const [first, ...others] = before;
      assert.equal(judge([...others, { ...first, value: `${first?.value}!` }]), 1);
      assert.equal(judge([...before, { key: before.map(({ key }) => key).join(), value: "" }]), 1);
    }),
  );
});
