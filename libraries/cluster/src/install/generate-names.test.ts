import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { generateInfraId, generateStorageSuffix } from "./generate-names.ts";

for (const [name, base] of [
  ["demo", "demo"],
  ["Demo.Cluster_1", "demo-cluster-1"],
  ["a--b", "a-b"],
  ["a-very-long-name-of-a-cluster", "a-very-long-name-of-a"],
  ["twenty-characters-ok--x", "twenty-characters-ok"],
  ["_private.(1)", "private-1"],
  ["(((", "cluster"],
] as const) {
  test(`the infrastructure ID of ${name} begins with ${base}`, () => {
    assert.match(generateInfraId(name), new RegExp(`^${base}-[a-z0-9]{5}$`));
  });
}

test("an infrastructure ID is a name that Azure and Kubernetes take, of 27 characters at most", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[-a-zA-Z0-9_().]{0,89}[-a-zA-Z0-9_()]$/), (name) => {
      assert.match(generateInfraId(name), /^(?=.{1,27}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?$/);
    }),
  );
});

test("a storage suffix is ten characters of storage accounts' alphabet", () => {
  assert.match(generateStorageSuffix(), /^[bcdfghjklmnpqrstvwxyz0-9]{10}$/);
});
