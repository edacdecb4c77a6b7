import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { boundedText } from "./bounded-text.ts";

for (const [text, expected] of [
  ["", ""],
  ["4.19.2", "4.19.2"],
  ["a\tb\nc", "a\tb\nc"],
  ["a\u0000b\u001b[mc\r\n", "a b [mc \n"],
  ["right\u202eleft", "right left"],
  ["0123456789", "0123456789"],
  ["0123456789+", "012345678…"],
  ["01234567🦺9+", "01234567…"],
  ["lone \ud800", "lone \ufffd"],
] as const) {
  test(`${JSON.stringify(text)} becomes ${JSON.stringify(expected)} within 10 characters`, () => {
    assert.equal(boundedText(text, 10), expected);
  });
}

test("every string becomes bounded, well-formed and printable, and a second call does not change it", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 40 }),
      fc.integer({ min: 1, max: 20 }),
      (text, limit) => {
        const bounded = boundedText(text, limit);
        assert.ok(bounded.length <= limit);
        assert.ok(bounded.isWellFormed());
        assert.doesNotMatch(bounded, /[^\P{Cc}\t\n]/u);
        assert.equal(boundedText(bounded, limit), bounded);
      },
    ),
  );
});
