import assert from "node:assert/strict";
import { test } from "node:test";
import { exactJson } from "@keelson/base";
import { readJsonObject } from "./json-object.ts";

for (const text of ["", "null", "[]", '"text"', "{", "{]", "1", '{"a":1}trailing'])
  test(`${text || "nothing"} is not a JSON object`, () => assert.equal(readJsonObject(text), undefined));

test("properties, their order and exact integers are preserved", () => {
  const text = '{"z":9007199254740993,"__proto__":{"x":1},"a":["]]]",{"b":"\\"["}]}';
  assert.equal(exactJson(readJsonObject(text)), text);
});

test("an object that is too deep to be written is rejected", () => {
  const nested = (depth: number) => `{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`;
  assert.equal(readJsonObject(nested(100_000)), undefined);
  assert.ok(readJsonObject(nested(100)));
});
