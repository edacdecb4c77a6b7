import assert from "node:assert/strict";
import { test } from "node:test";
import { type AroCluster, clusters } from "@keelson/aro-api";
import { apiVersionOf } from "@keelson/kube";
import { isInManagedGroup, subnetOwnership } from "./subnet-ownership.ts";

const group = "/subscriptions/s/resourceGroups/aro-demo";
const network = "/subscriptions/s/resourceGroups/customer/providers/Microsoft.Network/virtualNetworks/vnet";
const worker = `${network}/subnets/worker`;
const cluster: AroCluster = {
  apiVersion: apiVersionOf(clusters),
  kind: clusters.kind,
  metadata: { name: "cluster" },
  spec: { clusterResourceGroupId: group, clusterSubnets: [worker] },
};
const used = (by: string) => ({
  properties: {
    ipConfigurations: [
      { id: `${by}/providers/Microsoft.Network/networkInterfaces/nic/ipConfigurations/pipConfig` },
    ],
  },
});

for (const [name, id, live, ownership] of [
  ["a subnet of the document", worker.toUpperCase(), {}, "document"],
  ["a subnet with a network interface of the cluster", `${network}/subnets/more`, used(group), "machines"],
  ["the same in a different case", `${network}/subnets/more`, used(group.toUpperCase()), "machines"],
  ["a subnet with other network interfaces", `${network}/subnets/more`, used(`${group}-of-others`), "none"],
  ["an empty subnet", `${network}/subnets/more`, {}, "none"],
  [
    "a subnet with malformed configurations",
    `${network}/subnets/more`,
    { properties: { ipConfigurations: [1, null] } },
    "none",
  ],
] as const)
  test(`${name} is owned by: ${ownership}`, () => {
    assert.equal(subnetOwnership(cluster, id, JSON.parse(JSON.stringify(live))), ownership);
  });

test("a Cluster without facts owns nothing", () => {
  const unknown = { ...cluster, spec: {} };
  assert.equal(subnetOwnership(unknown, worker, used(group)), "none");
  assert.equal(isInManagedGroup(unknown, group), false);
});
