import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { printable } from "../text/printable.ts";
import { LogLines } from "./log-lines.ts";

function linesOf(chunks: readonly Uint8Array[]): readonly string[] {
  const lines = new LogLines();
  return [...chunks.flatMap((chunk) => lines.push(chunk)), ...lines.end()];
}

test("lines do not depend on the chunks in which bytes arrive", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), fc.array(fc.nat(300)), (text, cuts) => {
      const bytes = Buffer.from(`a\nü😀\r\n${text}`);
      const ends = [...cuts.filter((cut) => cut < bytes.length), bytes.length].toSorted((a, b) => a - b);
      const chunks = ends.map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end));
      assert.deepEqual(linesOf(chunks), linesOf([bytes]));
      assert.deepEqual(linesOf(chunks).slice(0, 2), ["a", "ü😀"]);
    }),
  );
});

test("control characters are shown and never sent", () => {
  assert.equal(printable("\u001b[31mred\u0007\t\u009b\u202eevil"), "␛[31mred␇\t\\u009b\\u202eevil");
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
      for (const line of linesOf([bytes]))
        assert.doesNotMatch(line.replaceAll("\t", ""), /[\p{Cc}\u2028\u2029\u202e]/u);
    }),
  );
});

test("a line without end takes bounded memory", () => {
  const lines = new LogLines();
  for (let at = 0; at < 100; at++) assert.deepEqual(lines.push(Buffer.alloc(100_000, "x")), []);
  const [line = ""] = lines.push(Buffer.from("\n"));
  assert.equal(line.length, 16_384);
  assert.equal(lines.cut, true);
});
