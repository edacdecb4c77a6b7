import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { indentedJson } from "./indented-json.ts";

describe("indented JSON", () => {
  for (const value of [null, 1, "a\u0000b", [], {}, [1, [2, {}]], { a: { b: [true, null] }, "\u2028": "x" }])
    test(`equals JSON.stringify for ${JSON.stringify(value)}`, () =>
      assert.deepEqual(indentedJson(value, 1_000, 1_000), {
        text: JSON.stringify(value, undefined, 2),
        isCut: false,
      }));

  test("stops at the maximum number of lines", () => {
    const { text, isCut } = indentedJson(
      Array.from({ length: 1_000 }, (_, at) => at),
      10,
      100_000,
    );
    assert.equal(isCut, true);
    assert.equal(text.split("\n").length, 10);
  });

  test("stops at the maximum length", () => {
    const { text, isCut } = indentedJson(Array.from({ length: 1_000 }).fill("aaaaaaaaaa"), 10_000, 1_000);
    assert.equal(isCut, true);
    assert.ok(text.length < 1_100, `${text.length}`);
  });

  test("does not multiply the size of a deep value by its depth", () => {
    const deep = JSON.parse(`${"[".repeat(3_000)}${"1,".repeat(10_000)}1${"]".repeat(3_000)}`);
    const { text } = indentedJson(deep, 10_000, 5 * 2 ** 20);
    assert.ok(text.length < 20_000, `${text.length}`);
  });
});
