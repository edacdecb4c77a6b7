import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { newCluster } from "../testing/documents.ts";
import { distribute, workerMachineSets } from "./worker-machine-sets.ts";

for (const [total, shares] of [
  [3, [1, 1, 1]],
  [5, [2, 2, 1]],
  [2, [1, 1, 0]],
] as const) {
  test(`${total} workers are ${shares.join(", ")}`, () => assert.deepEqual(distribute(total, 3), shares));
}

test("shares add up and differ by one at most", () => {
  fc.assert(
    fc.property(fc.nat(200), fc.integer({ min: 1, max: 9 }), (total, among) => {
      const shares = distribute(total, among);
      assert.equal(
        shares.reduce((sum, share) => sum + share, 0),
        total,
      );
      assert.ok(Math.max(...shares) - Math.min(...shares) <= 1);
    }),
  );
});

test("the MachineSets are named by region, and carry the fields of AzureMachineProviderSpec", () => {
  const cluster = newCluster({ name: "demo", workers: 5 });
  const sets = workerMachineSets({
    ...cluster,
    properties: { ...cluster.properties, infraId: "demo-x1x2x" },
  });
  assert.deepEqual(
    sets.map(({ metadata, spec }) => [metadata.name, spec.replicas]),
    [
      ["demo-x1x2x-worker-eastus1", 2],
      ["demo-x1x2x-worker-eastus2", 2],
      ["demo-x1x2x-worker-eastus3", 1],
    ],
  );
  assert.deepEqual(sets[0]?.metadata.labels, {
    "machine.openshift.io/cluster-api-cluster": "demo-x1x2x",
    "machine.openshift.io/cluster-api-machine-role": "worker",
    "machine.openshift.io/cluster-api-machine-type": "worker",
  });
  const value = sets[0]?.spec.template.spec.providerSpec.value;
  assert.equal(value?.kind, "AzureMachineProviderSpec");
  assert.equal(value?.publicLoadBalancer, "demo-x1x2x");
  assert.deepEqual(
    [value?.resourceGroup, value?.networkResourceGroup, value?.vnet, value?.subnet, value?.vmSize],
    ["aro-demo", "network", "vnet", "worker", "Standard_D4s_v3"],
  );
});
