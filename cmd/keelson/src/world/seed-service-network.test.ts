import assert from "node:assert/strict";
import { test } from "node:test";
import { serviceNetwork } from "@keelson/cluster";
import { startTestAzure, subscriptionId } from "@keelson/sim-azure/testing";
import { seedServiceNetwork } from "./seed-service-network.ts";

test("the service's group has the subnets of the service, of private endpoints and of Hive", async () => {
  await using azure = await startTestAzure();
  const { clients } = azure;
  await clients.resources.resourceGroups.createOrUpdate("service", { location: "eastus" });
  const network = serviceNetwork({ subscriptionId, resourceGroup: "service", hasHive: true });
  const signal = AbortSignal.timeout(900_000);
  // The second run verifies that the function is idempotent.
  for (const _ of [1, 2]) await seedServiceNetwork(clients, network, "eastus", signal);
  for (const [name, subnet] of [
    ["aks-net", "PodSubnet-001"],
    ["rp-pe-vnet-001", "rp-pe-subnet"],
    ["rp-vnet", "rp-subnet"],
  ] as const)
    assert.equal((await clients.network.subnets.get("service", name, subnet)).provisioningState, "Succeeded");
});
