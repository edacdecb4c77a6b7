import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { batchesOf, lanesOf } from "./lanes.ts";

const paths = fc.uniqueArray(
  fc
    .tuple(fc.constantFrom("libraries/base", "libraries/kube", "tests/e2e"), fc.nat(999))
    .map(([directory, number]) => `${directory}/${number}.test.ts`),
);

test("every file runs exactly once, however the lanes proceed", () => {
  fc.assert(
    fc.property(
      paths,
      fc.integer({ min: 1, max: 4 }),
      fc.infiniteStream(fc.nat()),
      (files, count, choices) => {
        const lanes = lanesOf(files, count, () => 1).map((lane) => lane[Symbol.iterator]());
        const run: string[] = [];
        while (lanes.length > 0) {
          const index = (choices.next().value ?? 0) % lanes.length;
          const next = lanes[index]?.next();
          if (next?.done === false) run.push(...next.value);
          else lanes.splice(index, 1);
        }
        assert.deepEqual(run.sort(), [...files].sort());
      },
    ),
  );
});

test("a batch has files of one package, and the slowest batch is first", () => {
  const files = ["libraries/a/x", "libraries/b/x", "libraries/a/y"];
  const seconds: Record<string, number> = { "libraries/b/x": 9, "libraries/a/y": 5, "libraries/a/x": 3 };
  assert.deepEqual(
    batchesOf(files, (file) => seconds[file] ?? 0),
    [["libraries/b/x"], ["libraries/a/x", "libraries/a/y"]],
  );
});

test("a batch has at most 64 files and an expected duration of at most 80 s, or a single file", () => {
  const files = Array.from({ length: 80 }, (_, index) => `libraries/a/${index}`);
  const sizes = (secondsOf: (file: string) => number) =>
    batchesOf(files, secondsOf)
      .map(({ length }) => length)
      .toSorted((a, b) => b - a);
  assert.deepEqual(
    sizes(() => 0),
    [64, 16],
  );
  assert.deepEqual(
    sizes(() => 4),
    [20, 20, 20, 20],
  );
  assert.deepEqual(
    sizes((file) => (file === "libraries/a/5" ? 90 : 0)),
    [64, 10, 5, 1],
  );
});
