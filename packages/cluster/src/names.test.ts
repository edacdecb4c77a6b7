import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { generateInfraId, generateStorageSuffix } from "./names.ts";

for (const [name, base] of [
  ["demo", "demo"],
  ["Demo.Cluster_1", "demo-cluster-1"],
  ["a--b", "a-b"],
  ["a-very-long-name-of-a-cluster", "a-very-long-name-of-a"],
  ["twenty-characters-ok--x", "twenty-characters-ok"],
] as const) {
  test(`the infrastructure ID of ${name} begins with ${base}`, () => {
    assert.match(generateInfraId(name), new RegExp(`^${base}-[a-z0-9]{5}$`));
  });
}

test("an infrastructure ID is a name that Azure and Kubernetes take, of 27 characters at most", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,60}$/), (name) => {
      assert.match(generateInfraId(name), /^(?=.{1,27}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?$/);
    }),
  );
});

test("a storage suffix is ten characters of storage accounts' alphabet", () => {
  assert.match(generateStorageSuffix(), /^[bcdfghjklmnpqrstvwxyz0-9]{10}$/);
});
