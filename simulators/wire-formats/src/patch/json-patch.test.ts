import assert from "node:assert/strict";
import { test } from "node:test";
import { PatchError } from "@keelson/apimachinery";
import { WorkBudget } from "@keelson/base";
import { applyJsonPatch, maxOperations } from "./json-patch.ts";

const pod = { kind: "Pod", metadata: { name: "x", labels: { "a/b": "1" } }, spec: { list: [1, 2, 3] } };

test("operations conform to RFC 6902", () => {
  const rows: readonly [name: string, patch: unknown, path: readonly string[], value: unknown][] = [
    ["add", [{ op: "add", path: "/metadata/uid", value: "u" }], ["metadata", "uid"], "u"],
    ["add into a list", [{ op: "add", path: "/spec/list/1", value: 9 }], ["spec", "list"], [1, 9, 2, 3]],
    ["append", [{ op: "add", path: "/spec/list/-", value: 4 }], ["spec", "list"], [1, 2, 3, 4]],
    ["replace", [{ op: "replace", path: "/spec/list/0", value: 7 }], ["spec", "list"], [7, 2, 3]],
    ["remove", [{ op: "remove", path: "/spec/list/0" }], ["spec", "list"], [2, 3]],
    [
      "an escaped name",
      [{ op: "replace", path: "/metadata/labels/a~1b", value: "2" }],
      ["metadata", "labels", "a/b"],
      "2",
    ],
    ["move", [{ op: "move", from: "/spec/list", path: "/list" }], ["list"], [1, 2, 3]],
    ["copy", [{ op: "copy", from: "/metadata/name", path: "/spec/name" }], ["spec", "name"], "x"],
    ["test", [{ op: "test", path: "/spec/list", value: [1, 2, 3] }], ["kind"], "Pod"],
    ["a complete document", [{ op: "replace", path: "", value: { kind: "Y" } }], ["kind"], "Y"],
  ];
  for (const [name, patch, path, value] of rows) {
    const result = path.reduce<unknown>(
      (inner, key) => Reflect.get(Object(inner), key),
      applyJsonPatch(pod, patch),
    );
    assert.deepEqual(result, value, name);
  }
  assert.deepEqual(pod.spec.list, [1, 2, 3]);
});

test("invalid patches are rejected with the correct status", () => {
  const operation = { op: "add", path: "/metadata/uid", value: 1 };
  const rows: readonly [status: number, patch: unknown][] = [
    [400, { op: "add" }],
    [400, [1]],
    [400, [{ op: "add", path: "/a" }]],
    [400, [{ op: "move", path: "/a" }]],
    [400, [{ op: "swap", path: "/a" }]],
    [413, Array.from({ length: maxOperations + 1 }, () => operation)],
    [422, [{ op: "test", path: "/kind", value: "Node" }]],
    [422, [{ op: "test", path: "/missing", value: 1 }]],
    [422, [{ op: "test", path: "/missing/x", value: null }]],
    [422, [{ op: "replace", path: "/missing/x", value: 1 }]],
    [422, [{ op: "replace", path: "/spec/list/9", value: 1 }]],
    [422, [{ op: "remove", path: "/missing" }]],
    [422, [{ op: "move", from: "/missing", path: "/a" }]],
    [422, [{ op: "add", path: "/missing/x", value: 1 }]],
    [422, [{ op: "remove", path: "/spec/list/9" }]],
    [422, [{ op: "remove", path: "/spec/list/01" }]],
    [422, [{ op: "add", path: "/spec/list/9", value: 1 }]],
    [422, [{ op: "move", from: "/spec", path: "/spec/inside" }]],
    [422, [{ op: "replace", path: "", value: [] }]],
    [422, [{ op: "add", path: "/__proto__/polluted", value: true }]],
    [422, [{ op: "add", path: "/constructor/polluted", value: true }]],
    [422, [{ op: "add", path: "/constructor/prototype/polluted", value: true }]],
    [422, [{ op: "test", path: "/toString", value: 1 }]],
  ];
  for (const [status, patch] of rows) {
    const label = JSON.stringify(patch).slice(0, 80);
    assert.throws(
      () => applyJsonPatch(pod, patch),
      (error) => error instanceof PatchError && error.status === status,
      label,
    );
  }
  assert.equal(Reflect.get({}, "polluted"), undefined);
  assert.equal(Reflect.get(Object, "polluted"), undefined);
});

test("a missing property is null for replace, test and copy", () => {
  const patch = [
    { op: "test", path: "/missing", value: null },
    { op: "replace", path: "/set", value: 1 },
    { op: "copy", from: "/missing", path: "/copied" },
  ];
  const { set, copied, missing } = applyJsonPatch(pod, patch);
  assert.deepEqual({ set, copied, missing }, { set: 1, copied: null, missing: undefined });
});

test("a property __proto__ is ordinary data", () => {
  const patched = applyJsonPatch(pod, [{ op: "add", path: "/__proto__", value: { polluted: true } }]);
  assert.deepEqual(Object.getOwnPropertyDescriptor(patched, "__proto__")?.value, { polluted: true });
  assert.equal(Object.getPrototypeOf(patched), Object.prototype);
  assert.equal(Reflect.get({}, "polluted"), undefined);
});

test("exponentially growing copies are rejected", () => {
  const double = { op: "copy", from: "/spec/list", path: "/spec/list/-" };
  const patch = Array.from({ length: 40 }, () => double);
  assert.throws(
    () => applyJsonPatch(pod, patch),
    (error) => error instanceof PatchError && error.status === 413,
  );
  assert.ok(applyJsonPatch(pod, [double, double]));
});

test("the maximum number of operations is applied", () => {
  const patch = Array.from({ length: maxOperations }, (_, value) => ({
    op: "replace",
    path: "/kind",
    value,
  }));
  assert.equal(applyJsonPatch(pod, patch).kind, maxOperations - 1);
});

test("copies are counted during the copy, before the limit is exceeded", () => {
  const names = Array.from({ length: 100 }, (_, at) => [`name${at}`, "x".repeat(10)]);
  const object = { kind: "Pod", data: Object.fromEntries(names) };
  const patch = Array.from({ length: 9_999 }, (_, at) => ({ op: "copy", from: "/data", path: `/c${at}` }));
  const budget = new WorkBudget({ nodes: 40_000_000, bytes: 300_000_000, timeMs: 60_000 });
  assert.throws(
    () => applyJsonPatch(object, patch, budget),
    (error) => error instanceof PatchError && error.status === 413,
  );
  // The copies stop at the limit, so their cost is far below the cost of 9,999 complete copies.
  assert.ok(budget.spent.nodes < 50_000, String(budget.spent.nodes));
});

test("a patch is limited by the budget of its request", () => {
  const budget = new WorkBudget({ nodes: 1_000, bytes: 1_000_000, timeMs: 60_000 });
  const patch = Array.from({ length: 5_000 }, () => ({ op: "add", path: "/spec/list/0", value: 1 }));
  assert.throws(() => applyJsonPatch(pod, patch, budget), { code: "WorkBudgetExceeded" });
});

test("a patch result is limited to the depth of a body", () => {
  const deeper = [
    { op: "add", path: "/other", value: {} },
    { op: "move", from: "/spec", path: "/other/spec" },
    { op: "move", from: "/other", path: "/spec" },
  ];
  const patch = Array.from({ length: 600 }, () => deeper).flat();
  assert.throws(
    () => applyJsonPatch(pod, patch),
    (error) => error instanceof PatchError && error.status === 422,
  );
});

test("applying a patch does not change its values", () => {
  const patch = [
    { op: "add", path: "/spec/more", value: { list: [] } },
    { op: "add", path: "/spec/more/list/-", value: 1 },
  ];
  for (const time of ["first", "second"])
    assert.deepEqual(applyJsonPatch(pod, patch).spec, { list: [1, 2, 3], more: { list: [1] } }, time);
});
