import assert from "node:assert/strict";
import { test } from "node:test";
import { azureErrorCode, statusOf } from "@keelson/azure";
import { nonEmptyStringAt } from "../base/json.ts";
import { location, startTestAzure, subscriptionId } from "../testing/test-azure.ts";

const signal = AbortSignal.timeout(900_000);

async function withGroup() {
  const azure = await startTestAzure();
  const call = azure.clients.call(signal);
  await azure.clients.resources.resourceGroups.createOrUpdate("g", { location }, call);
  return { azure, call, network: azure.clients.network };
}

const space = { location, addressSpace: { addressPrefixes: ["10.0.0.0/16"] } };

test("subnets live on their own and in their network alike", async () => {
  const { azure, call, network } = await withGroup();
  await using _ = azure;
  const vnet = await network.virtualNetworks.createOrUpdate(
    "g",
    "vnet",
    { ...space, subnets: [{ name: "One", addressPrefix: "10.0.0.0/24" }] },
    call,
  );
  const two = await network.subnets.createOrUpdate(
    "g",
    "VNET",
    "two",
    { addressPrefixes: ["10.0.1.0/24"] },
    call,
  );
  assert.equal(two.id, `${vnet.id}/subnets/two`);
  assert.equal(two.provisioningState, "Succeeded");
  const both = await network.virtualNetworks.get("g", "vnet", call);
  assert.deepEqual(
    both.subnets?.map(({ name }) => name),
    ["One", "two"],
  );
  assert.notEqual(both.etag, vnet.etag);
  assert.equal((await network.subnets.get("g", "vnet", "one", call)).name, "One");
  assert.equal((await Array.fromAsync(network.subnets.list("g", "vnet", call))).length, 2);
  await network.virtualNetworks.createOrUpdate("g", "vnet", { ...space, tags: { a: "b" } }, call);
  assert.equal(
    (await network.virtualNetworks.get("g", "vnet", call)).subnets?.length,
    2,
    "a body without subnets keeps them",
  );
  await network.subnets.delete("g", "vnet", "two", call);
  await network.subnets.delete("g", "vnet", "two", call);
  assert.deepEqual(
    (await network.virtualNetworks.get("g", "vnet", call)).subnets?.map(({ name }) => name),
    ["One"],
  );
  const sent = await network.virtualNetworks.get("g", "vnet", call);
  const again = await network.virtualNetworks.createOrUpdate("g", "vnet", sent, call);
  assert.equal(again.resourceGuid, sent.resourceGuid, "what a client read it may write back");
});

const refused = [
  {
    name: "a prefix with host bits",
    code: "InvalidAddressPrefixFormat",
    body: { addressPrefix: "10.0.0.1/24" },
  },
  { name: "no prefix", code: "InvalidAddressPrefixFormat", body: {} },
  {
    name: "a prefix outside of the network",
    code: "NetcfgInvalidSubnet",
    body: { addressPrefix: "10.1.0.0/24" },
  },
  {
    name: "a prefix too small for Azure",
    code: "NetcfgInvalidSubnet",
    body: { addressPrefix: "10.0.9.0/30" },
  },
  { name: "an overlap", code: "NetcfgSubnetRangesOverlap", body: { addressPrefix: "10.0.0.128/25" } },
  {
    name: "a route table that is not there",
    code: "InvalidResourceReference",
    body: {
      addressPrefix: "10.0.2.0/24",
      routeTable: {
        id: `/subscriptions/${subscriptionId}/resourceGroups/g/providers/Microsoft.Network/routeTables/x`,
      },
    },
  },
];

test("an invalid subnet is rejected with its error and changes nothing", async (t) => {
  const { azure, call, network } = await withGroup();
  await using _ = azure;
  const before = await network.virtualNetworks.createOrUpdate(
    "g",
    "vnet",
    { ...space, subnets: [{ name: "one", addressPrefix: "10.0.0.0/24" }] },
    call,
  );
  for (const { name, code, body } of refused) {
    await t.test(name, async () => {
      await assert.rejects(network.subnets.createOrUpdate("g", "vnet", "bad", body, call), (error) => {
        assert.equal(azureErrorCode(error), code);
        assert.equal(statusOf(error), 400);
        return true;
      });
    });
  }
  assert.equal((await network.virtualNetworks.get("g", "vnet", call)).etag, before.etag);
});

test("a subnet with a network interface cannot be deleted, keeps its prefix, and names its user", async () => {
  const { azure, call, network } = await withGroup();
  await using _ = azure;
  const vnet = await network.virtualNetworks.createOrUpdate(
    "g",
    "vnet",
    { ...space, subnets: [{ name: "one", addressPrefix: "10.0.0.0/24" }] },
    call,
  );
  const ipConfigurations = [{ name: "ip", subnet: { id: vnet.subnets?.[0]?.id ?? "" } }];
  const nic = await network.networkInterfaces.createOrUpdate(
    "g",
    "nic",
    { location, ipConfigurations },
    call,
  );
  const subnet = await network.subnets.get("g", "vnet", "one", call);
  assert.deepEqual(
    subnet.ipConfigurations?.map(({ id }) => id),
    [nic.ipConfigurations?.[0]?.id],
  );
  const inUse = (error: unknown) => azureErrorCode(error) === "InUseSubnetCannotBeDeleted";
  await assert.rejects(network.subnets.delete("g", "vnet", "one", call), inUse);
  await assert.rejects(
    network.virtualNetworks.createOrUpdate("g", "vnet", { ...space, subnets: [] }, call),
    inUse,
  );
  await assert.rejects(network.virtualNetworks.delete("g", "vnet", call), inUse);
  await assert.rejects(
    network.subnets.createOrUpdate("g", "vnet", "one", { addressPrefix: "10.0.4.0/24" }, call),
    (error) => azureErrorCode(error) === "InUsePrefixCannotBeDeleted",
  );
  await network.networkInterfaces.delete("g", "nic", call);
  await network.subnets.delete("g", "vnet", "one", call);
});

test("a security group is attached and detached under the etag that was read, and cannot be deleted while attached", async () => {
  const { azure, call, network } = await withGroup();
  await using _ = azure;
  await network.virtualNetworks.createOrUpdate(
    "g",
    "vnet",
    { ...space, subnets: [{ name: "one", addressPrefix: "10.0.0.0/24" }] },
    call,
  );
  const rule = {
    name: "api",
    protocol: "Tcp",
    access: "Allow",
    direction: "Inbound",
    priority: 120,
    destinationPortRange: "6443",
  };
  const nsg = await network.networkSecurityGroups.createOrUpdate(
    "g",
    "nsg",
    { location, securityRules: [rule] },
    call,
  );
  const read = await network.subnets.get("g", "vnet", "one", call);
  const attach = (etag: string, networkSecurityGroup?: { id: string }) =>
    network.subnets.createOrUpdate(
      "g",
      "vnet",
      "one",
      { addressPrefix: "10.0.0.0/24", ...(networkSecurityGroup ? { networkSecurityGroup } : {}) },
      { ...call, requestOptions: { headers: { "if-match": etag } } },
    );
  const attached = await attach(read.etag ?? "", { id: nsg.id ?? "" });
  assert.equal(attached.networkSecurityGroup?.id, nsg.id);
  await assert.rejects(attach(read.etag ?? ""), (error) => statusOf(error) === 412);
  const users = (await network.networkSecurityGroups.get("g", "nsg", call)).subnets;
  assert.deepEqual(
    users?.map(({ id }) => id),
    [attached.id],
  );
  await assert.rejects(
    network.networkSecurityGroups.delete("g", "nsg", call),
    (error) => azureErrorCode(error) === "InUseNetworkSecurityGroupCannotBeDeleted",
  );
  await attach(attached.etag ?? "");
  assert.equal((await network.networkSecurityGroups.get("g", "nsg", call)).subnets, undefined);
  await network.networkSecurityGroups.delete("g", "nsg", call);
});

test("a security group has Azure's default rules, which are read-only", async () => {
  const { azure, call, network } = await withGroup();
  await using _ = azure;
  const made = await network.networkSecurityGroups.createOrUpdate("g", "nsg", { location }, call);
  const shown = made.defaultSecurityRules?.map(({ name, priority, direction, access }) =>
    [name, priority, direction, access].join(" "),
  );
  assert.deepEqual(shown, [
    "AllowVnetInBound 65000 Inbound Allow",
    "AllowAzureLoadBalancerInBound 65001 Inbound Allow",
    "DenyAllInBound 65500 Inbound Deny",
    "AllowVnetOutBound 65000 Outbound Allow",
    "AllowInternetOutBound 65001 Outbound Allow",
    "DenyAllOutBound 65500 Outbound Deny",
  ]);
  const listed = await Array.fromAsync(network.defaultSecurityRules.list("g", "nsg", call));
  assert.equal(listed.length, 6);
  const one = await network.defaultSecurityRules.get("g", "nsg", "DenyAllInBound", call);
  assert.equal(one.id, `${made.id}/defaultSecurityRules/DenyAllInBound`);
  const path = `${one.id}?api-version=2024-05-01`;
  assert.equal((await azure.arm("PUT", path, { properties: {} })).status, 405);
  assert.equal((await azure.arm("DELETE", path)).status, 405);
  const again = await network.networkSecurityGroups.createOrUpdate("g", "nsg", made, call);
  assert.equal(again.defaultSecurityRules?.length, 6, "what a client read it may write back");
});

test("a network reports free addresses and the usage of its subnets", async () => {
  const { azure, call, network } = await withGroup();
  await using _ = azure;
  const subnets = [{ name: "s", addressPrefix: "10.0.0.0/28" }];
  const vnet = await network.virtualNetworks.createOrUpdate("g", "vnet", { ...space, subnets }, call);
  const subnet = { id: vnet.subnets?.[0]?.id ?? "" };
  const ipConfigurations = [{ name: "ip", subnet }];
  await network.networkInterfaces.createOrUpdate("g", "nic", { location, ipConfigurations }, call);
  const check = async (address: string) => {
    const response = await network.virtualNetworks.checkIPAddressAvailability("g", "vnet", address, call);
    return [response.available, response.isPlatformReserved, response.availableIPAddresses];
  };
  const free = ["10.0.0.5", "10.0.0.6", "10.0.0.7", "10.0.0.8", "10.0.0.9"];
  assert.deepEqual(await check("10.0.0.5"), [true, false, []]);
  assert.deepEqual(await check("10.0.0.4"), [false, false, free]);
  assert.deepEqual(await check("10.0.0.0"), [false, true, free]);
  await assert.rejects(
    check("10.0.9.1"),
    (error) => azureErrorCode(error) === "PrivateIPAddressNotInAnySubnet",
  );
  const [usage] = await Array.fromAsync(network.virtualNetworks.listUsage("g", "vnet", call));
  assert.deepEqual([usage?.id, usage?.currentValue, usage?.limit], [subnet.id, 1, 11]);
});

test("a location lists services for networks, and checks if a label is free", async () => {
  const { azure, call, network } = await withGroup();
  await using _ = azure;
  const services = await Array.fromAsync(network.availableEndpointServices.list(location, call));
  assert.ok(services.some(({ name }) => name === "Microsoft.ContainerRegistry"));
  const delegations = await Array.fromAsync(network.availableDelegations.list(location, call));
  assert.ok(delegations.some(({ serviceName }) => serviceName === "Microsoft.Web/serverFarms"));
  const isFree = async () => (await network.checkDnsNameAvailability(location, "jump-host", call)).available;
  assert.equal(await isFree(), true);
  const address = await network.publicIPAddresses.createOrUpdate(
    "g",
    "ip",
    { location, dnsSettings: { domainNameLabel: "jump-host" } },
    call,
  );
  assert.equal(address.dnsSettings?.fqdn, "jump-host.eastus.cloudapp.azure.com");
  assert.equal(await isFree(), false);
});

test("security rules are validated individually and in their group", async () => {
  const { azure, call, network } = await withGroup();
  await using _ = azure;
  const rule = { protocol: "Tcp", access: "Allow", direction: "Inbound", priority: 100 };
  await network.networkSecurityGroups.createOrUpdate("g", "nsg", { location }, call);
  await network.securityRules.createOrUpdate("g", "nsg", "one", rule, call);
  const code = (wanted: string) => (error: unknown) => azureErrorCode(error) === wanted;
  await assert.rejects(
    network.securityRules.createOrUpdate("g", "nsg", "two", rule, call),
    code("SecurityRuleConflict"),
  );
  await assert.rejects(
    network.securityRules.createOrUpdate("g", "nsg", "two", { ...rule, priority: 99 }, call),
    code("SecurityRuleInvalidPriority"),
  );
  await assert.rejects(
    network.securityRules.createOrUpdate(
      "g",
      "nsg",
      "two",
      { ...rule, priority: 101, access: "Maybe" },
      call,
    ),
    code("SecurityRuleParameterInvalidValue"),
  );
  assert.equal((await network.networkSecurityGroups.get("g", "nsg", call)).securityRules?.length, 1);
  const path = `/subscriptions/${subscriptionId}/resourceGroups/g/providers/Microsoft.Network/networkSecurityGroups/nsg`;
  const twice = { properties: { securityRules: [{ name: "a" }, { name: "A" }] }, location };
  const response = await azure.arm("PUT", `${path}?api-version=2024-05-01`, twice);
  assert.equal(nonEmptyStringAt(response.json, "error", "code"), "InvalidRequestContent");
});
