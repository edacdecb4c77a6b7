import assert from "node:assert/strict";
import { test } from "node:test";
import { describeSchemaFaults, findUnknownFields, type SchemaFault } from "./schema-faults.ts";

const union = {
  anyOf: [
    { properties: { kind: { const: "a" }, url: { description: "where it is" } } },
    { properties: { kind: { const: "b" } } },
  ],
};
const schema = {
  properties: {
    port: { default: 1 },
    vmSize: { description: "size of the machines", pattern: "^Standard_" },
    list: { items: { properties: { name: {} } } },
    store: union,
  },
};

/** Creates a fault in the format of TypeBox. */
const fault = (
  keyword: string,
  instancePath: string,
  schemaPath: string,
  params: object = {},
  message = keyword,
): SchemaFault => ({ keyword, instancePath, schemaPath, params, message });
const wrongKind = (choice: number, value: string) =>
  fault("const", "/store/kind", `#/properties/store/anyOf/${choice}/properties/kind`, {
    allowedValue: value,
  });

for (const [name, faults, described] of [
  [
    "an unknown property is reported once, with a suggestion",
    [
      fault("boolean", "/vmsize", "#/additionalProperties", {}, "schema is false"),
      fault("additionalProperties", "", "#", { additionalProperties: ["vmsize", "x"] }),
    ],
    ["/vmsize is unknown, did you mean vmSize?", "/x is unknown"],
  ],
  [
    "a missing property is reported with the expected values",
    [
      fault("required", "", "#", { requiredProperties: ["vmSize", "port"] }),
      fault("required", "/list/0", "#/properties/list/items", { requiredProperties: ["name"] }),
    ],
    ["/vmSize is missing (size of the machines)", "/list/0/name is missing"],
  ],
  [
    "a wrong value is named with what belongs there, and what it may be",
    [
      fault("pattern", "/vmSize", "#/properties/vmSize", {}, "must match"),
      fault(
        "enum",
        "/list/0/name",
        "#/properties/list/items/properties/name",
        { allowedValues: ["p", "q"] },
        "is none",
      ),
      fault("type", "", "#", {}, "must be object"),
    ],
    ["/vmSize must match (size of the machines)", "/list/0/name is none: p, q", "/ must be object"],
  ],
  [
    "of a kind that does not exist, those that do are named",
    [
      fault("required", "/store", "#/properties/store/anyOf/0", { requiredProperties: ["url"] }),
      wrongKind(0, "a"),
      wrongKind(1, "b"),
      fault("anyOf", "/store", "#/properties/store"),
    ],
    ["/store/kind must be one of a, b"],
  ],
  [
    "faults without a specific description are still reported",
    [fault("boolean", "/x", "#/additionalProperties", {}, "schema is false")],
    ["/x schema is false"],
  ],
  ["the same fault is named once", [fault("x", "/a", "#"), fault("x", "/a", "#")], ["/a x"]],
  ["a path that the schema does not have describes nothing", [fault("x", "/a", "#/no/where/")], ["/a x"]],
] as const)
  test(name, () =>
    assert.deepEqual(
      describeSchemaFaults(schema, {}, () => faults),
      described,
    ),
  );

test("only the intended alternative of a union is checked for faults", () => {
  const asked: object[] = [];
  const find = (narrowed: object) => {
    asked.push(narrowed);
    return [fault("required", "/store", "#/properties/store", { requiredProperties: ["url"] })];
  };
  const described = describeSchemaFaults(schema, { store: { kind: "a" } }, find);
  assert.deepEqual(described, ["/store/url is missing (where it is)"]);
  assert.deepEqual(asked, [{ properties: { ...schema.properties, store: union.anyOf[0] } }]);
});

test("unknown fields are found with their object, except inside unions without a discriminator", () => {
  const unknown = (instancePath: string, schemaPath: string, ...additionalProperties: readonly string[]) =>
    fault("additionalProperties", instancePath, schemaPath, { additionalProperties });
  const faults = [
    unknown("", "#", "a", "b"),
    unknown("/list/0", "#/properties/list/items", "c"),
    unknown("/keys", "#/properties/keys/anyOf/1", "d"),
    fault("required", "/store", "#/properties/store", { requiredProperties: ["url"] }),
  ];
  assert.deepEqual(
    findUnknownFields(schema, {}, () => faults),
    [
      { parent: "", name: "a" },
      { parent: "", name: "b" },
      { parent: "/list/0", name: "c" },
    ],
  );
});
