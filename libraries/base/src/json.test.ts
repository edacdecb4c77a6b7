import assert from "node:assert/strict";
import { test } from "node:test";
import { isPlainObject, tryParseJson } from "./json.ts";

for (const [text, expected] of [
  ['{"a":[1,null]}', { a: [1, null] }],
  ["null", null],
  ["5", 5],
  ["", undefined],
  ["{", undefined],
  ["secret", undefined],
] as const)
  test(`tryParseJson parses '${text}' as ${JSON.stringify(expected)}`, () =>
    assert.deepEqual(tryParseJson(text), expected));

for (const [value, expected] of [
  [{}, true],
  [Object.create(null), true],
  [[], false],
  [null, false],
  ["{}", false],
  [new Date(0), false],
] as const)
  test(`isPlainObject(${JSON.stringify(value)}) is ${expected}`, () =>
    assert.equal(isPlainObject(value), expected));
