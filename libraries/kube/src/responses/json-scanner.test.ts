import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { JsonScanner } from "./json-scanner.ts";

/** Returns the number of tokens and the depth of a parsed value. */
function measured(value: unknown): { readonly tokens: number; readonly depth: number } {
  if (typeof value !== "object" || value === null) return { tokens: 1, depth: 0 };
  const parts = Object.values(value).map(measured);
  const names = Array.isArray(value) ? 0 : parts.length;
  return {
    tokens: parts.reduce((sum, { tokens }) => sum + tokens, 1 + names),
    depth: 1 + Math.max(0, ...parts.map(({ depth }) => depth)),
  };
}

describe("a scanner of JSON", () => {
  test("counts tokens and depth of any value, however it is cut into chunks", () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.integer({ min: 1, max: 9 }),
        fc.constantFrom(undefined, 2),
        (value, size, indent) => {
          const bytes = Buffer.from(JSON.stringify(value, null, indent));
          const scanner = new JsonScanner();
          for (let at = 0; at < bytes.length; at += size) scanner.scan(bytes.subarray(at, at + size));
          assert.deepEqual({ tokens: scanner.tokens, depth: scanner.maxDepth }, measured(value));
        },
      ),
    );
  });

  test("ignores the content of strings", () => {
    const scanner = new JsonScanner();
    scanner.scan(Buffer.from(String.raw`["[{\"}\\", "\\\""]`));
    assert.deepEqual([scanner.tokens, scanner.maxDepth], [3, 1]);
  });
});
