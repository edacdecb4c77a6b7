import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { apiPath, parseClusterPath, resourcePath } from "./cluster-path.ts";

const segment = fc.stringMatching(/^[a-z0-9][a-z0-9._-]{0,20}$/);
const refs = fc.record(
  { subscription: segment, resourceGroup: segment, name: segment },
  { noNullPrototype: true },
);

test("a cluster's path is parsed to the cluster and its tab, case-insensitively", () => {
  fc.assert(
    fc.property(refs, fc.constantFrom("", "nodes", "apistatistics"), fc.boolean(), (cluster, tab, upper) => {
      const path = `${resourcePath(cluster)}${tab && `/${tab}`}`;
      assert.deepEqual(parseClusterPath(upper ? path.toUpperCase() : path), { cluster, tab });
    }),
  );
});

for (const path of [
  "/",
  "/subscriptions/a/resourcegroups/b",
  "/subscriptions//resourcegroups/b/providers/microsoft.redhatopenshift/openshiftclusters/c",
  "/subscriptions/a/resourcegroups/b/providers/microsoft.redhatopenshift/openshiftclusters/c/nodes/d",
  "/subscriptions/a/resourcegroups/b/providers/microsoft.compute/virtualmachines/c",
])
  test(`${path} is not a cluster's path`, () => assert.equal(parseClusterPath(path), undefined));

test("the API paths of a cluster contain its subscription, resource group and name", () => {
  assert.equal(apiPath({ subscription: "s", resourceGroup: "g", name: "n" }), "/api/s/g/n");
});
