import assert from "node:assert/strict";
import { test } from "node:test";
import { compareDocuments } from "./compare.ts";
import type { OpenApiDocument, Operation, Schema } from "./document.ts";

const widget: Schema = {
  type: "object",
  properties: {
    name: { type: "string", readOnly: true },
    size: { type: "integer", format: "int32" },
    colour: { type: "string", enum: ["red", "blue"] },
    parts: { type: "array", items: { $ref: "#/definitions/Widget" } },
  },
  required: ["size"],
};

const get: Operation = {
  operationId: "Widgets_Get",
  parameters: [{ $ref: "#/parameters/Name" }, { name: "force", in: "query", type: "boolean" }],
  responses: { 200: { description: "", schema: { $ref: "#/definitions/Widget" } } },
};

const base: OpenApiDocument = {
  swagger: "2.0",
  info: { title: "Widgets", version: "2030-01-01" },
  paths: {
    "/widgets/{name}": {
      get,
      put: {
        operationId: "Widgets_Create",
        parameters: [
          { $ref: "#/parameters/Name" },
          { name: "widget", in: "body", required: true, schema: { $ref: "#/definitions/Widget" } },
        ],
        responses: { 201: { description: "", schema: { $ref: "#/definitions/Widget" } } },
      },
    },
  },
  definitions: { Widget: widget },
  parameters: { Name: { name: "name", in: "path", required: true, type: "string" } },
};

const withWidget = (change: Schema): OpenApiDocument => ({
  ...base,
  definitions: { Widget: { ...widget, ...change } },
});
const withMember = (name: string, member: Schema): OpenApiDocument =>
  withWidget({ properties: { ...widget.properties, [name]: member } });
const withGet = (change: Partial<Operation>): OpenApiDocument => ({
  ...base,
  paths: { "/widgets/{name}": { ...base.paths["/widgets/{name}"], get: { ...get, ...change } } },
});

/**
 * Document that is equivalent to `base` but has a different layout. It uses a base definition, a type by reference and an inline
 * parameter.
 */
const elsewhere: OpenApiDocument = {
  ...withGet({
    parameters: [
      { name: "name", in: "path", required: true, type: "string" },
      ...(get.parameters ?? []).slice(1),
    ],
  }),
  definitions: {
    Widget: {
      allOf: [{ $ref: "#/definitions/Named" }],
      properties: {
        parts: { type: "array", items: { $ref: "#/definitions/Widget" } },
        colour: { $ref: "#/definitions/Colour" },
        size: { type: "integer", format: "int32", description: "in metres" },
      },
      required: ["size"],
    },
    Named: { type: "object", properties: { name: { type: "string", readOnly: true } } },
    Colour: { type: "string", enum: ["blue", "red"] },
  },
};

const { size: _, ...sizeless } = widget.properties ?? {};
const at = "Widgets_Get 200";

const cases: readonly {
  readonly name: string;
  readonly ours?: OpenApiDocument;
  readonly theirs?: OpenApiDocument;
  readonly missing?: readonly string[];
  readonly different?: readonly string[];
  readonly notes?: readonly string[];
}[] = [
  { name: "a document and itself" },
  { name: "a different layout", theirs: elsewhere },
  { name: "a different layout of ours", ours: elsewhere },
  {
    name: "a path that we lack",
    theirs: {
      ...base,
      paths: { ...base.paths, "/gadgets": { get: { ...get, operationId: "Gadgets_List" } } },
    },
    missing: ["/gadgets: ours lacks this path"],
  },
  {
    name: "an operation that we lack",
    ours: { ...base, paths: { "/widgets/{name}": { get } } },
    missing: ["PUT /widgets/{name}: ours lacks this operation"],
  },
  {
    name: "an operation that they lack",
    theirs: { ...base, paths: { "/widgets/{name}": { get } } },
    notes: ["PUT /widgets/{name}: only ours has this operation"],
  },
  {
    name: "a different operation ID",
    theirs: withGet({ operationId: "Widgets_Read" }),
    different: ["GET /widgets/{name}: operation ID: ours is Widgets_Get, theirs is Widgets_Read"],
  },
  {
    name: "a parameter that we lack",
    ours: withGet({ parameters: (get.parameters ?? []).slice(0, 1) }),
    missing: ["Widgets_Get query force: ours lacks this parameter"],
  },
  {
    name: "a different type of a parameter",
    ours: withGet({
      parameters: [{ $ref: "#/parameters/Name" }, { name: "force", in: "query", type: "string" }],
    }),
    different: ["Widgets_Get query force: type: ours is string, theirs is boolean"],
  },
  {
    name: "a response that we lack",
    theirs: withGet({ responses: { ...get.responses, 202: {} } }),
    missing: ["Widgets_Get 202: ours lacks this response"],
  },
  {
    name: "a body that we lack",
    ours: withGet({ responses: { 200: { description: "" } } }),
    missing: ["Widgets_Get 200: ours lacks this body"],
  },
  {
    name: "a header that we lack, and one of a different type",
    ours: withGet({ responses: { 200: { ...get.responses[200], headers: { Age: { type: "string" } } } } }),
    theirs: withGet({
      responses: {
        200: { ...get.responses[200], headers: { Age: { type: "integer" }, Location: { type: "string" } } },
      },
    }),
    missing: [`${at} Location: ours lacks this header`],
    different: [`${at} Age: type: ours is string, theirs is integer`],
  },
  {
    name: "a property that we lack",
    ours: withWidget({ properties: sizeless }),
    missing: [`${at}.size: ours lacks this property`],
  },
  {
    name: "a property that they lack",
    theirs: withWidget({ properties: sizeless }),
    notes: [`${at}.size: only ours has this property`],
  },
  {
    name: "another type",
    ours: withMember("size", { type: "string" }),
    different: [`${at}.size: type: ours is string, theirs is integer (int32)`],
  },
  {
    name: "another format",
    ours: withMember("size", { type: "integer", format: "int64" }),
    different: [`${at}.size: type: ours is integer (int64), theirs is integer (int32)`],
  },
  {
    name: "a different type of elements",
    ours: withMember("parts", { type: "array", items: { type: "string" } }),
    different: [`${at}.parts[]: type: ours is string, theirs is object`],
  },
  {
    name: "a map in place of an object",
    ours: withMember("parts", { type: "object", additionalProperties: { type: "string" } }),
    different: [`${at}.parts: type: ours is map, theirs is array`],
  },
  {
    name: "another value",
    ours: withMember("colour", { type: "string", enum: ["red", "green"] }),
    different: [`${at}.colour: values: ours is green, red, theirs is blue, red`],
  },
  {
    name: "what is only a note",
    ours: withMember("name", { type: "string", "x-ms-secret": true, pattern: "^w" }),
    notes: [
      `${at}.name: read-only: ours is false, theirs is true`,
      `${at}.name: secret: ours is true, theirs is false`,
      `${at}.name: pattern: ours is ^w, theirs is not said`,
    ],
  },
  {
    name: "what is required",
    ours: withWidget({ required: ["size", "name"] }),
    notes: [`${at}.name: required: ours is true, theirs is false`],
  },
];

for (const { name, ours = base, theirs = base, missing = [], different = [], notes = [] } of cases) {
  test(`compares ${name}`, () => {
    const found = compareDocuments(ours, theirs);
    const lines = (kind: "missing" | "different" | "notes") =>
      found[kind].map(({ where, what }) => `${where}: ${what}`);
    assert.deepEqual(
      { missing: lines("missing"), different: lines("different"), notes: lines("notes") },
      { missing, different, notes },
    );
  });
}

test("counts what was compared, a definition once", () => {
  assert.deepEqual(compareDocuments(base, base).counts, {
    paths: 1,
    operations: 2,
    parameters: 4,
    properties: 4,
  });
});
