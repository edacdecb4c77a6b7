import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { asJson, members } from "../base/json.ts";
import { propertyChanges } from "./property-changes.ts";

test("each change has its path and kind", () => {
  const before = {
    etag: "1",
    location: "eastus",
    tags: { a: "1", b: "2" },
    properties: {
      updatedOn: "2026-01-01T00:00:00Z",
      prefixes: ["10.0.0.0/16", "10.1.0.0/16"],
      subnets: [
        { name: "one", size: 1 },
        { name: "two", size: 2 },
      ],
    },
  };
  const after = {
    etag: "2",
    location: "westeurope",
    tags: { a: "1", c: "3" },
    properties: {
      updatedOn: "2026-01-02T00:00:00Z",
      prefixes: ["10.0.0.0/16"],
      subnets: [
        { name: "two", size: 3 },
        { name: "one", size: 1 },
      ],
    },
  };
  assert.deepEqual(propertyChanges(before, after), [
    { path: "location", propertyChangeType: "Modify", before: "eastus", after: "westeurope" },
    { path: "tags.b", propertyChangeType: "Delete", before: "2" },
    { path: "tags.c", propertyChangeType: "Create", after: "3" },
    {
      path: "properties.prefixes",
      propertyChangeType: "Array",
      children: [{ path: "1", propertyChangeType: "Delete", before: "10.1.0.0/16" }],
    },
    {
      path: "properties.subnets",
      propertyChangeType: "Array",
      children: [
        {
          path: "0",
          propertyChangeType: "Modify",
          children: [{ path: "size", propertyChangeType: "Modify", before: 2, after: 3 }],
        },
      ],
    },
  ]);
});

test("equal values have no changes", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), (value) => {
      const resource = members(asJson(JSON.parse(JSON.stringify(value))));
      assert.deepEqual(propertyChanges(resource, structuredClone(resource)), []);
    }),
  );
});

test("a name that means something to JavaScript is a name", () => {
  const after = asJson(JSON.parse('{"tags":{"__proto__":{},"constructor":"b"}}'));
  assert.deepEqual(propertyChanges({ tags: {} }, members(after)), [
    { path: "tags.__proto__", propertyChangeType: "Create", after: {} },
    { path: "tags.constructor", propertyChangeType: "Create", after: "b" },
  ]);
});
