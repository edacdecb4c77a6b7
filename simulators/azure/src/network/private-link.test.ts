import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { NetworkManagementClient } from "@azure/arm-network";
import { nonEmptyStringAt, objectsAt } from "../base/json.ts";
import { makeGroup, refusal } from "../testing/sdk.ts";
import { location, startTestAzure, subscriptionId, type TestAzure } from "../testing/test-azure.ts";

let azure: TestAzure;
let network: NetworkManagementClient;
const provider = `/subscriptions/${subscriptionId}/resourceGroups/g/providers/Microsoft.Network`;
const subnetOf = (name: string) => ({ id: `${provider}/virtualNetworks/vnet/subnets/${name}` });

before(async () => {
  azure = await startTestAzure();
  ({ network } = azure.clients);
  await makeGroup(azure, "g");
  await network.virtualNetworks.createOrUpdate("g", "vnet", {
    location,
    addressSpace: { addressPrefixes: ["10.0.0.0/16"] },
    subnets: [
      { name: "services", addressPrefix: "10.0.0.0/24", privateLinkServiceNetworkPolicies: "Disabled" },
      { name: "endpoints", addressPrefix: "10.0.1.0/24" },
    ],
  });
});
after(() => azure[Symbol.asyncDispose]());

/** Creates a private link service and its load balancer. */
async function makeService(name: string, autoApproval: string[] = []) {
  await network.loadBalancers.createOrUpdate("g", name, {
    location,
    sku: { name: "Standard" },
    frontendIPConfigurations: [{ name: "f", subnet: subnetOf("services") }],
  });
  return network.privateLinkServices.createOrUpdate("g", name, {
    location,
    loadBalancerFrontendIpConfigurations: [
      { id: `${provider}/loadBalancers/${name}/frontendIPConfigurations/f` },
    ],
    ipConfigurations: [{ name: "nat", subnet: subnetOf("services") }],
    visibility: { subscriptions: [subscriptionId] },
    autoApproval: { subscriptions: autoApproval },
  });
}

function makeEndpoint(name: string, service: string, message = "please") {
  return network.privateEndpoints.createOrUpdate("g", name, {
    location,
    subnet: subnetOf("endpoints"),
    manualPrivateLinkServiceConnections: [
      {
        name: "c",
        privateLinkServiceId: `${provider}/privateLinkServices/${service}`,
        requestMessage: message,
      },
    ],
  });
}

async function stateOf(endpoint: string) {
  const { manualPrivateLinkServiceConnections = [] } = await network.privateEndpoints.get("g", endpoint);
  return manualPrivateLinkServiceConnections[0]?.privateLinkServiceConnectionState?.status;
}

async function connectionsOf(service: string) {
  return (await network.privateLinkServices.get("g", service)).privateEndpointConnections ?? [];
}

test("a service requires a load balancer, which cannot be deleted before it", async () => {
  const service = await makeService("standing");
  assert.match(service.alias ?? "", /^standing\.[-\da-f]{36}\.eastus\.azure\.privatelinkservice$/);
  assert.match(service.ipConfigurations?.[0]?.privateIPAddress ?? "", /^10\.0\.0\.\d+$/);
  const balancer = await azure.arm("GET", `${provider}/loadBalancers/standing?api-version=2024-05-01`);
  const [frontend] = objectsAt(balancer.json, "properties", "frontendIPConfigurations");
  assert.equal(nonEmptyStringAt(frontend, "properties", "privateLinkService", "id"), service.id);
  await assert.rejects(
    network.loadBalancers.delete("g", "standing").pollUntilDone(),
    refusal(400, "CannotDeleteLoadBalancerWithPrivateLinkService"),
  );
  await network.privateLinkServices.delete("g", "standing");
  await network.loadBalancers.delete("g", "standing");
});

test("a service is rejected in a subnet with network policies for such services", async () => {
  await network.subnets.createOrUpdate("g", "vnet", "strict", { addressPrefix: "10.0.9.0/24" });
  await network.loadBalancers.createOrUpdate("g", "strict", {
    location,
    sku: { name: "Standard" },
    frontendIPConfigurations: [{ name: "f", subnet: subnetOf("strict") }],
  });
  const made = network.privateLinkServices.createOrUpdate("g", "strict", {
    location,
    loadBalancerFrontendIpConfigurations: [
      { id: `${provider}/loadBalancers/strict/frontendIPConfigurations/f` },
    ],
    ipConfigurations: [{ name: "nat", subnet: subnetOf("strict") }],
  });
  await assert.rejects(
    made.pollUntilDone(),
    refusal(400, "PrivateLinkServiceCannotBeCreatedInSubnetThatHasNetworkPoliciesEnabled"),
  );
});

test("an endpoint has an address in its subnet, which cannot be deleted before it", async () => {
  await makeService("address");
  const endpoint = await makeEndpoint("address", "address");
  const name = endpoint.networkInterfaces?.[0]?.id?.split("/").at(-1) ?? "";
  const nic = await network.networkInterfaces.get("g", name);
  assert.match(nic.ipConfigurations?.[0]?.privateIPAddress ?? "", /^10\.0\.1\.\d+$/);
  assert.equal(nic.privateEndpoint?.id, endpoint.id);
  const subnet = await network.subnets.get("g", "vnet", "endpoints");
  assert.ok(subnet.privateEndpoints?.some(({ id }) => id === endpoint.id));
  await assert.rejects(
    network.subnets.delete("g", "vnet", "endpoints").pollUntilDone(),
    refusal(400, "InUseSubnetCannotBeDeleted"),
  );
  await assert.rejects(network.networkInterfaces.delete("g", name).pollUntilDone(), refusal(400, "NicInUse"));
  const again = await makeEndpoint("address", "address");
  assert.equal(again.networkInterfaces?.[0]?.id, nic.id, "another write changes no address");
  await network.privateEndpoints.delete("g", "address");
  await assert.rejects(network.networkInterfaces.get("g", name), { statusCode: 404 });
  assert.deepEqual(await connectionsOf("address"), []);
});

test("an endpoint is pending until the service's owner approves it", async () => {
  await makeService("asked");
  await makeEndpoint("asking", "asked");
  assert.equal(await stateOf("asking"), "Pending");
  const [connection] = await connectionsOf("asked");
  assert.equal(connection?.privateLinkServiceConnectionState?.description, "please");
  assert.match(connection?.linkIdentifier ?? "", /^\d+$/);
  const decide = (status: string) =>
    network.privateLinkServices.updatePrivateEndpointConnection("g", "asked", connection?.name ?? "", {
      name: connection?.name ?? "",
      privateLinkServiceConnectionState: { status, description: "Decided" },
    });
  const approved = await decide("Approved");
  assert.equal(approved.linkIdentifier, connection?.linkIdentifier);
  assert.equal(await stateOf("asking"), "Approved");
  await decide("Rejected");
  assert.equal(await stateOf("asking"), "Rejected");
  await assert.rejects(decide("Perhaps"), refusal(400, "InvalidPrivateLinkServiceConnectionState"));
  await assert.rejects(
    network.privateLinkServices.delete("g", "asked").pollUntilDone(),
    refusal(400, "PrivateLinkServiceWithPrivateEndpointConnectionsCannotBeDeleted"),
  );
  await network.privateLinkServices.deletePrivateEndpointConnection("g", "asked", connection?.name ?? "");
  assert.equal(await stateOf("asking"), "Disconnected");
  await network.privateLinkServices.delete("g", "asked");
});

test("endpoints of auto-approved subscriptions are approved immediately", async () => {
  await makeService("trusting", [subscriptionId]);
  await makeEndpoint("trusted", "trusting");
  assert.equal(await stateOf("trusted"), "Approved");
});

test("the identifier of a deleted link is assigned again", async () => {
  await makeService("links", ["*"]);
  for (const name of ["link1", "link2"]) await makeEndpoint(name, "links");
  const identifiers = async () =>
    (await connectionsOf("links")).map(({ linkIdentifier }) => linkIdentifier).sort();
  const before = await identifiers();
  assert.equal(new Set(before).size, 2);
  await network.privateEndpoints.delete("g", "link1");
  await makeEndpoint("link3", "links");
  assert.deepEqual(await identifiers(), before);
});

test("an endpoint for a missing service is rejected without side effects", async () => {
  await assert.rejects(
    makeEndpoint("nowhere", "none").pollUntilDone(),
    refusal(400, "InvalidResourceReference"),
  );
  const nics = await Array.fromAsync(network.networkInterfaces.list("g"));
  assert.ok(!nics.some(({ name }) => name?.startsWith("nowhere")));
});

test("an endpoint of an account is approved, under the account's name", async () => {
  const account = `/subscriptions/${subscriptionId}/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/linked`;
  const body = { location, kind: "StorageV2", sku: { name: "Standard_LRS" } };
  await azure.arm("PUT", `${account}?api-version=2024-01-01`, body);
  const endpoint = await network.privateEndpoints.createOrUpdate("g", "account", {
    location,
    subnet: subnetOf("endpoints"),
    ipConfigurations: [{ name: "fixed", groupId: "blob", memberName: "blob", privateIPAddress: "10.0.1.77" }],
    privateLinkServiceConnections: [{ name: "c", privateLinkServiceId: account, groupIds: ["blob"] }],
  });
  const [connection] = endpoint.privateLinkServiceConnections ?? [];
  assert.equal(connection?.privateLinkServiceConnectionState?.status, "Approved");
  assert.deepEqual(endpoint.customDnsConfigs, [
    { fqdn: "linked.blob.core.windows.net", ipAddresses: ["10.0.1.77"] },
  ]);
});

test("a zone group maintains the endpoint's address in a private zone until its deletion", async () => {
  const account = `/subscriptions/${subscriptionId}/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/zoned`;
  await azure.arm("PUT", `${account}?api-version=2024-01-01`, {
    location,
    kind: "StorageV2",
    sku: { name: "Standard_LRS" },
  });
  const zones = ["privatelink.blob.core.windows.net", "other.internal"];
  for (const zone of zones) {
    await azure.arm("PUT", `${provider}/privateDnsZones/${zone}?api-version=2018-09-01`, {
      location: "global",
    });
  }
  await network.privateEndpoints.createOrUpdate("g", "zoned", {
    location,
    subnet: subnetOf("endpoints"),
    privateLinkServiceConnections: [{ name: "c", privateLinkServiceId: account, groupIds: ["blob"] }],
  });
  const write = (zone = "") =>
    network.privateDnsZoneGroups.createOrUpdate("g", "zoned", "default", {
      privateDnsZoneConfigs: [{ name: "blob", privateDnsZoneId: `${provider}/privateDnsZones/${zone}` }],
    });
  const addressIn = async (zone = "") => {
    const path = `${provider}/privateDnsZones/${zone}/A/zoned?api-version=2018-09-01`;
    const { json } = await azure.arm("GET", path);
    return nonEmptyStringAt(objectsAt(json, "properties", "aRecords")[0], "ipv4Address");
  };
  const made = await write(zones[0]);
  const [set] = made.privateDnsZoneConfigs?.[0]?.recordSets ?? [];
  assert.equal(set?.fqdn, "zoned.privatelink.blob.core.windows.net");
  assert.equal(await addressIn(zones[0]), set?.ipAddresses?.[0]);
  await write(zones[1]);
  assert.deepEqual(
    [await addressIn(zones[0]), await addressIn(zones[1])],
    [undefined, set?.ipAddresses?.[0]],
  );
  await assert.rejects(write("absent.internal").pollUntilDone(), refusal(400, "InvalidResourceReference"));
  assert.equal((await Array.fromAsync(network.privateDnsZoneGroups.list("g", "zoned"))).length, 1);
  await network.privateEndpoints.delete("g", "zoned");
  assert.equal(await addressIn(zones[1]), undefined);
});

test("a group is deleted with its services and endpoints", async () => {
  await makeGroup(azure, "whole");
  const service = await makeService("outside", ["*"]);
  await network.privateEndpoints.createOrUpdate("whole", "e", {
    location,
    subnet: subnetOf("endpoints"),
    privateLinkServiceConnections: [{ name: "c", privateLinkServiceId: service.id ?? "" }],
  });
  assert.equal((await connectionsOf("outside")).length, 1);
  await azure.clients.resources.resourceGroups.delete("whole");
  assert.deepEqual(await connectionsOf("outside"), []);
});
