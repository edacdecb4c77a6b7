import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseFieldSelector, selectedName } from "./field-selector.ts";

for (const [text, expected] of [
  ["a=b=c", "invalid field selector: unescaped character in value: 61"],
  ["a=b\\", "invalid field selector: invalid escape sequence: \\"],
  ["a=b\\x", "invalid field selector: invalid escape sequence: \\x"],
  ["a=b,c", "invalid selector: 'a=b,c'; can't understand 'c'"],
] as const) {
  test(`${text} is not a field selector`, () => {
    assert.throws(() => parseFieldSelector(text), { code: 400, message: expected });
  });
}

test("an escaped comma does not end a term, and terms may be empty", () => {
  const expected = [
    { field: "a", value: "x,metadata.name=ok", equal: false },
    { field: "b", value: "", equal: true },
  ];
  assert.deepEqual(parseFieldSelector(",a!=x\\,metadata.name\\=ok,,b==,"), expected);
});

test("all values survive escaping", () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1 }), (values) => {
      const escaped = values.map((each) => `f=${each.replace(/[\\,=]/g, "\\$&")}`);
      assert.deepEqual(
        parseFieldSelector(escaped.join(",")),
        values.map((value) => ({ field: "f", value, equal: true })),
      );
    }),
  );
});

test("a selector determines its selected name", () => {
  assert.equal(selectedName(parseFieldSelector("metadata.name=p")), "p");
  assert.equal(selectedName(parseFieldSelector("metadata.name!=p")), undefined);
});

test("a selector with more than a thousand terms is rejected", () => {
  const selector = (count: number) => Array.from({ length: count }, () => "a!=b").join(",");
  assert.equal(parseFieldSelector(selector(1_000)).length, 1_000);
  assert.throws(() => parseFieldSelector(selector(1_001)), { code: 400, message: /more than 1000 terms/ });
});
