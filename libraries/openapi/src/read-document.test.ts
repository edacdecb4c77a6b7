import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { flatten, resolveParameter } from "./flat-schema.ts";
import { isDocument, readDocument } from "./read-document.ts";

const directory = mkdtempSync(join(tmpdir(), "keelson-openapi-"));
after(() => rmSync(directory, { recursive: true }));

function write(path: string, content: unknown): string {
  const file = join(directory, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
}

const common = "../common/v3/types.json#";
const document = {
  swagger: "2.0",
  info: { title: "Widgets", version: "2030-01-01" },
  paths: {
    "/widgets": {
      get: {
        operationId: "Widgets_List",
        parameters: [{ $ref: `${common}/parameters/Name` }],
        responses: { 200: { description: "", schema: { $ref: "#/definitions/Widget" } } },
        "x-ms-examples": { one: { $ref: "./examples/one.json" } },
      },
    },
  },
  definitions: {
    Widget: {
      allOf: [{ $ref: `${common}/definitions/Resource` }],
      properties: { size: { type: "integer" } },
    },
    Resource: { type: "object" },
  },
};

write("common/v3/types.json", {
  swagger: "2.0",
  paths: {},
  definitions: {
    Resource: {
      type: "object",
      properties: {
        id: { type: "string" },
        parent: { $ref: "#/definitions/Resource" },
        by: { $ref: "../v2/by.json#/definitions/By" },
      },
      required: ["id"],
    },
  },
  parameters: { Name: { name: "name", in: "query", type: "string" } },
});
write("common/v2/by.json", { definitions: { By: { type: "string", enum: ["me"] } } });

test("what is in other files becomes part of the document, loops included", () => {
  const read = readDocument(write("api/widgets.json", document));
  const widget = flatten(read, { $ref: "#/definitions/Widget" });
  assert.deepEqual(Object.keys(widget.properties), ["id", "parent", "by", "size"]);
  assert.deepEqual(widget.required, ["id"]);
  const parent = flatten(read, widget.properties.parent ?? {});
  assert.deepEqual(
    Object.keys(parent.properties),
    ["id", "parent", "by"],
    "the definition with the same name is a different one",
  );
  assert.deepEqual(flatten(read, parent.properties.by ?? {}).enum, ["me"]);
  const get = read.paths["/widgets"]?.get;
  assert.equal(resolveParameter(read, get?.parameters?.[0] ?? {}).in, "query");
  assert.equal(get?.["x-ms-examples"]?.one?.$ref, "./examples/one.json", "examples stay where they are");
});

test("documents are distinguished from types, examples and other JSON", () => {
  assert.equal(isDocument(write("api/widgets.json", document)), true);
  assert.equal(isDocument(join(directory, "common/v3/types.json")), false);
  assert.equal(isDocument(write("api/example.json", { parameters: {} })), false);
  assert.equal(isDocument(write("api/list.json", [])), false);
});

for (const [name, content, says] of [
  ["no JSON", "{", /cannot be read: .*JSON/],
  ["no object", [], /does not contain a JSON object/],
  ["another format", { openapi: "3.0.0", paths: {} }, /is not an OpenAPI 2.0 document/],
  [
    "a reference to nothing",
    { ...document, definitions: { Widget: { $ref: "../common/v3/types.json#/definitions/Gadget" } } },
    /refers to .*Gadget, which is not there/,
  ],
  [
    "a reference to a file that is not there",
    { ...document, definitions: { Widget: { $ref: "./gone.json#/definitions/Widget" } } },
    /gone\.json cannot be read/,
  ],
] as const) {
  test(`refuses ${name}`, () => {
    assert.throws(() => readDocument(write("api/wrong.json", content)), {
      code: "BadDocument",
      message: says,
    });
  });
}
