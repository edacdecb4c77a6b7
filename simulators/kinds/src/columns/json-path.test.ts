import assert from "node:assert/strict";
import { test } from "node:test";
import { WorkBudget } from "@keelson/base";
import { compileJsonPath } from "./json-path.ts";

const object = {
  metadata: { annotations: { "a.b/c": "dotted" } },
  spec: { list: [{ n: 1, s: "x" }, { n: 2, s: "a)b" }, { s: "z" }], "odd name": 5 },
};

test("paths find values in document order", () => {
  const rows: readonly [path: string, found: readonly unknown[]][] = [
    [".spec.list[0].n", [1]],
    ["$.spec.list[0].n", [1]],
    ["spec.list[-1].s", ["z"]],
    [".spec.list[*].n", [1, 2]],
    [".spec.list.*.n", [1, 2]],
    [".spec.list[0:2].s", ["x", "a)b"]],
    [".spec['odd name']", [5]],
    ['.spec["odd name"]', [5]],
    [".metadata.annotations.a\\.b/c", ["dotted"]],
    [".metadata.annotations['a\\.b/c']", ["dotted"]],
    ['.metadata.annotations["a\\.b/c"]', ["dotted"]],
    [".metadata.annotations['a.b/c']", ["dotted"]],
    ["..n", [1, 2]],
    ['.spec.list[?(@.s=="a)b")].n', [2]],
    [".spec.list[?(@.n>1)].s", ["a)b"]],
    [".spec.list[?(@.n!=1)].s", ["a)b"]],
    [".spec.list[?(@.n)].s", ["x", "a)b"]],
    [".spec.list[7].s", []],
    [".spec.toString", []],
    [".", [object]],
  ];
  for (const [path, found] of rows) {
    assert.deepEqual(compileJsonPath(path)(object), found, path);
  }
});

test("invalid paths are rejected", () => {
  for (const path of [".a[", ".a[?(b)]", ".a[?(@.b==c)]", ".a[x]"]) {
    assert.throws(() => compileJsonPath(path), SyntaxError, path);
  }
});

test("repeated recursive descents are stopped by the budget", () => {
  const nested = Array.from({ length: 400 }).reduce<object>((inner) => ({ a: inner }), {});
  const budget = new WorkBudget({ nodes: 10_000, bytes: 1, timeMs: 60_000 });
  assert.throws(() => compileJsonPath("..a..a..a..a")(nested, budget), { code: "WorkBudgetExceeded" });
  assert.equal(compileJsonPath("..a")(nested, new WorkBudget(budget.limits)).length, 400);
});
