import assert from "node:assert/strict";
import { test } from "node:test";
import { newCluster } from "@keelson/model/testing";
import { workerMachineSets } from "./worker-machine-sets.ts";

test("the MachineSets are named by region, and carry the fields of AzureMachineProviderSpec", () => {
  const cluster = newCluster({ name: "demo", workers: 5 });
  const image = { publisher: "azureopenshift", offer: "aro4", sku: "aro_419", version: "419.6.20250523" };
  const sets = workerMachineSets(
    { ...cluster, properties: { ...cluster.properties, infraId: "demo-x1x2x" } },
    { machineImages: { hyperVGen1: image } },
  );
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
  assert.deepEqual(value?.image, { ...image, resourceID: "", type: "MarketplaceNoPlan" });
  assert.equal(value?.publicLoadBalancer, "demo-x1x2x");
  assert.deepEqual(
    [value?.resourceGroup, value?.networkResourceGroup, value?.vnet, value?.subnet, value?.vmSize],
    ["aro-demo", "network", "vnet", "worker", "Standard_D4s_v3"],
  );
});
