import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { listAt, numberAt, objectAt, stringAt, stringsAt, valueAt } from "./json-fields.ts";

const pod = {
  spec: { replicas: 3, containers: [{ name: "etcd", args: ["--debug", 5, "--quiet"] }, null] },
  status: { phase: "Running" },
};

describe("valueAt", () => {
  for (const [path, expected] of [
    [[], pod],
    [["status", "phase"], "Running"],
    [["spec", "containers", 0, "name"], "etcd"],
    [["spec", "containers", 1, "name"], undefined],
    [["spec", "containers", 2, "name"], undefined],
    [["spec", "containers", "length"], undefined],
    [["status", "phase", "length"], undefined],
    [["status", 0], undefined],
    [["constructor"], undefined],
    [["status", "toString"], undefined],
    [["metadata", "name"], undefined],
  ] as const)
    test(`returns ${JSON.stringify(expected)} at [${path.join(", ")}]`, () =>
      assert.deepEqual(valueAt(pod, ...path), expected));
});

test("readers return the value of their type", () => {
  assert.equal(stringAt(pod, "status", "phase"), "Running");
  assert.equal(numberAt(pod, "spec", "replicas"), 3);
  assert.equal(listAt(pod, "spec", "containers").length, 2);
  assert.deepEqual(stringsAt(pod, "spec", "containers", 0, "args"), ["--debug", "--quiet"]);
  assert.deepEqual(objectAt(pod, "status"), { phase: "Running" });
});

test("readers of one value return undefined for other types, readers of many an empty value", () => {
  for (const value of [undefined, null, true, new Date(0)]) {
    assert.equal(stringAt(value), undefined);
    assert.equal(numberAt(value), undefined);
    assert.deepEqual(listAt(value), []);
    assert.deepEqual(stringsAt(value), []);
    assert.deepEqual(objectAt(value), {});
  }
  assert.equal(stringAt(5), undefined);
  assert.equal(numberAt("5"), undefined);
});
