import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { withDefaults } from "./defaults.ts";
import { validateListTypes } from "./list-types.ts";
import { prune } from "./prune.ts";
import { parseSchema, type StructuralSchema } from "./structural-schema.ts";
import { validate } from "./validate.ts";

const schema = (spec: object) => parseSchema({ type: "object", properties: { spec } });

const causesOf = (of: StructuralSchema, value: unknown) => [
  ...validate(of, value),
  ...validateListTypes(of, value),
];

for (const [what, spec, value, message] of [
  [
    "a wrong type",
    { type: "integer" },
    "a",
    'Invalid value: "string": spec in body must be of type integer: "string"',
  ],
  [
    "a disallowed null",
    { type: "string" },
    null,
    'Invalid value: "null": spec in body must be of type string: "null"',
  ],
  [
    "a value outside an enum",
    { type: "string", enum: ["a", "b"] },
    "z",
    'Unsupported value: "z": supported values: "a", "b"',
  ],
  [
    "a too small number",
    { type: "integer", minimum: 1 },
    0,
    "Invalid value: 0: spec in body should be greater than or equal to 1",
  ],
  [
    "a too large number",
    { type: "number", maximum: 1, exclusiveMaximum: true },
    1,
    "Invalid value: 1: spec in body should be less than 1",
  ],
  [
    "a string that does not match",
    { type: "string", pattern: "^a/b$" },
    "c",
    "Invalid value: \"c\": spec in body should match '^a/b$'",
  ],
  [
    "a too short string",
    { type: "string", minLength: 2 },
    "a",
    'Invalid value: "a": spec in body should be at least 2 chars long',
  ],
  ["a too long string", { type: "string", maxLength: 1 }, "ab", "Too long: may not be more than 1 bytes"],
  [
    "a too long list",
    { type: "array", maxItems: 1, items: {} },
    [1, 2],
    "Too many: 2: must have at most 1 items",
  ],
  [
    "a duplicate in a set",
    { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
    ["a", "a"],
    'Duplicate value: "a"',
  ],
  [
    "an invalid time",
    { type: "string", format: "date-time" },
    "x",
    'Invalid value: "x": spec in body must be of type date-time: "x"',
  ],
  [
    "int-or-string that is neither",
    { "x-kubernetes-int-or-string": true },
    true,
    'Invalid value: "boolean": spec in body must be of type integer,string: "boolean"',
  ],
] as const) {
  test(`${what} is reported with Kubernetes' message`, () => {
    assert.deepEqual(
      causesOf(schema(spec), { spec: value }).map((cause) => [
        cause.field?.replace(/\[\d+\]$/, ""),
        cause.message,
      ]),
      [["spec", message]],
    );
  });
}

test("if all alternatives fail, the missing fields of the nearest one are also reported", () => {
  const spec = { oneOf: [{ required: ["a"] }, { required: ["b"] }], type: "object" };
  assert.deepEqual(
    validate(schema(spec), { spec: {} }).map(({ field, message }) => [field, message]),
    [
      ["", 'Invalid value: "": "spec" must validate one and only one schema (oneOf). Found none valid'],
      ["spec.a", "Required value"],
    ],
  );
});

test("a missing field is reported with its path", () => {
  const causes = validate(schema({ type: "object", required: ["a"] }), { spec: {} });
  assert.deepEqual(causes, [{ reason: "FieldValueRequired", field: "spec.a", message: "Required value" }]);
});

for (const [what, spec, value, expected, removed] of [
  ["unknown fields", { type: "object", properties: { a: {} } }, { a: 1, b: 2 }, { a: 1 }, ["spec.b"]],
  ["unknown fields in lists", { type: "array", items: { type: "object" } }, [{ a: 1 }], [{}], ["spec[0].a"]],
  [
    "no preserved fields",
    { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    { a: { b: 1 } },
    { a: { b: 1 } },
    [],
  ],
  [
    "no map entries",
    { type: "object", additionalProperties: { type: "string" } },
    { a: "x" },
    { a: "x" },
    [],
  ],
  [
    "no identity fields of embedded resources",
    { type: "object", "x-kubernetes-embedded-resource": true, properties: {} },
    { apiVersion: "v1", kind: "Pod", metadata: { name: "x" }, spec: {} },
    { apiVersion: "v1", kind: "Pod", metadata: { name: "x" } },
    ["spec.spec"],
  ],
] as const) {
  test(`pruning removes ${what}`, () => {
    assert.deepEqual(prune(schema(spec), { kind: "K", spec: value }), {
      value: { kind: "K", spec: expected },
      removed,
    });
  });
}

test("defaults are set in unset fields at every depth and replace disallowed nulls", () => {
  const spec = {
    type: "object",
    default: {},
    properties: {
      a: { type: "string", default: "x" },
      b: { type: "string", default: "y", nullable: true },
      c: { type: "array", items: { type: "object", properties: { d: { type: "integer", default: 1 } } } },
    },
  };
  assert.deepEqual(withDefaults(schema(spec), {}), { spec: { a: "x", b: "y" } });
  assert.deepEqual(withDefaults(schema(spec), { spec: { a: null, b: null, c: [{}] } }), {
    spec: { b: null, c: [{ d: 1 }], a: "x" },
  });
});

test("a second pruning and defaulting changes nothing", () => {
  const own = schema({
    type: "object",
    properties: {
      a: { type: "string", default: "x" },
      b: { type: "object", additionalProperties: { type: "object", properties: { c: { default: 1 } } } },
    },
  });
  const conform = (value: unknown) => withDefaults(own, prune(own, value).value);
  fc.assert(
    fc.property(fc.object({ key: fc.constantFrom("spec", "a", "b", "c", "__proto__") }), (value) => {
      const once = conform(value);
      assert.deepEqual(conform(once), once);
    }),
  );
});
