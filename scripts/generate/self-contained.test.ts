import assert from "node:assert/strict";
import { test } from "node:test";
import type { OpenApiDocument, Schema } from "@keelson/openapi";
import { selfContained } from "./self-contained.ts";

const since = { type: "string", "x-keelson-since": "2030-06-01" } satisfies Schema & Record<string, unknown>;

function documentOf(version: string): OpenApiDocument {
  return {
    swagger: "2.0",
    info: { title: "Widgets", version },
    paths: {
      "/widgets": {
        get: {
          operationId: "Widgets_List",
          parameters: [{ $ref: "#/parameters/Version" }],
          responses: { 200: { schema: { $ref: "#/definitions/Widget" } } },
        },
      },
    },
    definitions: {
      Widget: {
        allOf: [{ $ref: "#/definitions/Base" }],
        properties: { part: { $ref: "#/definitions/Widget" } },
      },
      Base: { type: "object", properties: { id: { type: "string" }, later: since } },
      Unused: { type: "object", properties: { other: { $ref: "#/definitions/AlsoUnused" } } },
      AlsoUnused: { type: "string" },
    },
    parameters: {
      Version: { name: "api-version", in: "query", type: "string", "x-ms-parameter-location": "method" },
      Group: { name: "group", in: "path", type: "string", "x-ms-parameter-location": "method" },
    },
  };
}

test("a document keeps what its operations need, directly or through others", () => {
  assert.deepEqual(Object.keys(selfContained(documentOf("2030-01-01")).definitions), ["Widget", "Base"]);
});

for (const [version, members] of [
  ["2030-01-01", { id: { type: "string" } }],
  ["2030-06-01", { id: { type: "string" }, later: { type: "string" } }],
  ["2031-01-01", { id: { type: "string" }, later: { type: "string" } }],
] as const) {
  test(`a member of 2030-06-01 is ${"later" in members ? "" : "not "}in ${version}`, () => {
    assert.deepEqual(selfContained(documentOf(version)).definitions.Base?.properties, members);
  });
}

test("each operation names its example", () => {
  const { paths } = selfContained(documentOf("2030-01-01"));
  assert.deepEqual(paths["/widgets"]?.get?.["x-ms-examples"], {
    Widgets_List: { $ref: "./examples/Widgets_List.json" },
  });
});

test("the API version is the client's argument, a group the method's", () => {
  const { Version, Group } = selfContained(documentOf("2030-01-01")).parameters ?? {};
  assert.equal(Version?.["x-ms-parameter-location"], "client");
  assert.equal(Group?.["x-ms-parameter-location"], "method");
});
