import assert from "node:assert/strict";
import { test } from "node:test";
import { printable, printableValue } from "./printable.ts";

test("control characters and characters that change the text direction are visible, but tabs remain", () => {
  assert.equal(printable("a\u001b[2J\u007f\u202eb\u009b\tc"), "a\u241b[2J\u2421\\u202eb\\u009b\tc");
});

test("all strings and field names of a JSON value are printable, and other values are unchanged", () => {
  const value = { "a\u0000": ["\u001b", { b: "\u202e", c: 1, d: null, e: true }], ok: "é😀" };
  assert.deepEqual(printableValue(value), {
    "a\u2400": ["\u241b", { b: "\\u202e", c: 1, d: null, e: true }],
    ok: "é😀",
  });
});
