import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { readExamples } from "./read-examples.ts";

const directory = mkdtempSync(join(tmpdir(), "keelson-examples-"));
after(() => rmSync(directory, { recursive: true }));

const document = {
  swagger: "2.0",
  info: { title: "", version: "1" },
  paths: {
    "/things/{name}": {
      put: {
        operationId: "Things_Put",
        parameters: [
          { $ref: "#/parameters/name" },
          { name: "api-version", in: "query", required: true },
          { name: "$skipToken", in: "query" },
          { name: "thing", in: "body", schema: {} },
        ],
        responses: { 200: {}, 204: {} },
        "x-ms-examples": { one: { $ref: "./examples/one.json" } },
      },
    },
  },
  parameters: { name: { name: "name", in: "path", required: true } },
  definitions: {},
};

function examplesWith(parameters: object) {
  mkdirSync(join(directory, "examples"), { recursive: true });
  writeFileSync(join(directory, "document.json"), JSON.stringify(document));
  const responses = { 200: { body: { value: 1 } }, 204: {} };
  writeFileSync(join(directory, "examples/one.json"), JSON.stringify({ parameters, responses }));
  return readExamples(join(directory, "document.json"));
}

test("an example becomes a request, and its responses have bodies", () => {
  const [example, ...others] = examplesWith({ name: "a/b", "api-version": "1", thing: { size: 2 } });
  assert.deepEqual(others, []);
  assert.deepEqual(example, {
    file: join(directory, "examples/one.json"),
    operationId: "Things_Put",
    method: "PUT",
    url: "/things/a%2Fb?api-version=1",
    parameters: { name: "a/b", "api-version": "1", thing: { size: 2 } },
    body: { size: 2 },
    responses: new Map([
      [200, { value: 1 }],
      [204, undefined],
    ]),
  });
});

test("an example without a value that the operation needs is no example", () => {
  assert.throws(() => examplesWith({ name: "a" }), {
    code: "BadDocument",
    message: /one\.json has no value for api-version$/,
  });
});
