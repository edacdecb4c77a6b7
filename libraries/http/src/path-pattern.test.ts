import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { PathPattern } from "./path-pattern.ts";

for (const [pattern, path, expected] of [
  ["/a/{x}", "/a/b", { names: { x: "b" }, rest: [] }],
  ["/a/{x}", "/a/", undefined],
  ["/a/{x}", "/a/b/c", undefined],
  ["/a/{x}", "/A/b", undefined],
  ["/{x}/{y}", "/1/2", { names: { x: "1", y: "2" }, rest: [] }],
  ["/a/{*}", "/a", { names: {}, rest: [] }],
  ["/a/{*}", "/a/b/c", { names: {}, rest: ["b", "c"] }],
  ["a/{x}/{*}/z", "a/1/2/3/z", { names: { x: "1" }, rest: ["2", "3"] }],
  ["a/{x}/{*}/z", "a/z", undefined],
] as const) {
  test(`pattern ${pattern} ${expected ? "matches" : "does not match"} path ${path}`, () => {
    const match = new PathPattern(pattern).match(path.split("/"));
    assert.deepEqual(match && { names: Object.fromEntries(match.names), rest: match.rest }, expected);
  });
}

test("a pattern of names alone returns the segments of every path of its length", () => {
  const segments = fc.array(fc.string({ minLength: 1 }), { minLength: 1 });
  fc.assert(
    fc.property(segments, (path) => {
      const match = new PathPattern(path.map((_, index) => `{n${index}}`).join("/")).match(path);
      assert.deepEqual([...(match?.names.values() ?? [])], path);
    }),
  );
});

test("a pattern compares fixed segments by the given rule", () => {
  const isSame = (fixed: string, actual: string) => fixed === actual.toLowerCase();
  assert.deepEqual(new PathPattern("a/{x}").match(["A", "B"], isSame)?.names, new Map([["x", "B"]]));
});
