import assert from "node:assert/strict";
import { test } from "node:test";
import { indentJson } from "./pretty-json.ts";

test("indented JSON equals JSON.stringify with two spaces", () => {
  const value = {
    text: 'é "quoted" {[,:]} \\',
    empty: {},
    none: [],
    list: [1, -2.5, true, null, { a: [[]] }],
    unicode: "\u0000\ud83d\ude00",
  };
  const indented = indentJson(Buffer.from(JSON.stringify(value)));
  assert.equal(indented.toString(), JSON.stringify(value, null, 2));
  assert.equal(indentJson(Buffer.from('{"n":9007199254740993}')).toString(), '{\n  "n": 9007199254740993\n}');
});
