import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import {
  BodySchemas,
  listApiDocuments,
  operationsOf,
  readDocument,
  resolveParameter,
} from "@keelson/openapi";
import type { Example } from "./examples.ts";

for (const { version, file } of listApiDocuments()) {
  describe(`the examples of ${version}`, () => {
    const document = readDocument(file);
    const schemas = new BodySchemas(document);
    for (const { operation } of operationsOf(document)) {
      const { operationId, parameters = [] } = operation;
      test(`${operationId} is as the document says`, () => {
        const references = Object.values(operation["x-ms-examples"] ?? {});
        assert.equal(references.length, 1);
        const [reference] = references;
        const text = readFileSync(join(dirname(file), reference?.$ref ?? ""), "utf8");
        const example: Example = JSON.parse(text);
        const named = parameters.map((parameter) => resolveParameter(document, parameter));
        assert.deepEqual(
          Object.keys(example.parameters),
          named.map(({ name }) => name),
        );
        const body = named.find((parameter) => parameter.in === "body");
        assert.deepEqual(schemas.request(operationId)(body?.name && example.parameters[body.name]), []);
        assert.ok(Object.keys(example.responses).length > 0);
        for (const [status, response] of Object.entries(example.responses)) {
          assert.deepEqual(schemas.response(operationId, Number(status))(response.body), [], status);
        }
      });
    }
  });
}
