import assert from "node:assert/strict";
import { test } from "node:test";
import { exactJson } from "@keelson/base";
import { readJsonObject } from "./json-object.ts";

for (const text of ["", "null", "[]", '"text"', "{", "{]", "1", '{"a":1}trailing'])
  test(`${text || "nothing"} is no JSON object`, () => assert.equal(readJsonObject(text), undefined));

test("members, their order and exact integers stay", () => {
  const text = '{"z":9007199254740993,"__proto__":{"x":1},"a":["]]]",{"b":"\\"["}]}';
  assert.equal(exactJson(readJsonObject(text)), text);
});

test("what is nested so deep that writing it would exhaust the stack is none", () => {
  const nested = (depth: number) => `{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`;
  assert.equal(readJsonObject(nested(100_000)), undefined);
  assert.ok(readJsonObject(nested(100)));
});
