import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyFraming } from "./upstream.ts";

const cases: readonly (readonly [
  what: string,
  headers: Record<string, string>,
  mayHaveBody: boolean,
  expected: object,
])[] = [
  ["no body", {}, false, {}],
  ["no body, though a length is claimed", { "content-length": "5" }, false, {}],
  ["a body of a known length", { "content-length": "5" }, true, { "content-length": "5" }],
  ["a body in chunks", { "transfer-encoding": "chunked" }, true, { "transfer-encoding": "chunked" }],
  [
    "a body in chunks with a length, too",
    { "transfer-encoding": "chunked", "content-length": "5" },
    true,
    { "transfer-encoding": "chunked" },
  ],
  ["a body that is not announced, as HTTP/2 has it", {}, true, { "transfer-encoding": "chunked" }],
];
for (const [what, headers, mayHaveBody, expected] of cases)
  test(`${what}: ${JSON.stringify(expected)}`, () =>
    assert.deepEqual(bodyFraming(headers, mayHaveBody), expected));
