import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { NetworkManagementClient } from "@azure/arm-network";
import { PrivateDnsManagementClient } from "@azure/arm-privatedns";
import { armArguments, makeGroup, refusal } from "../testing/sdk.ts";
import { location, startTestAzure, subscriptionId, type TestAzure } from "../testing/test-azure.ts";

let azure: TestAzure;
let network: NetworkManagementClient;
let privateDns: PrivateDnsManagementClient;
const group = `/subscriptions/${subscriptionId}/resourceGroups/g`;
const account = `${group}/providers/Microsoft.Storage/storageAccounts/logs`;

before(async () => {
  azure = await startTestAzure();
  ({ network } = azure.clients);
  privateDns = new PrivateDnsManagementClient(...armArguments(azure));
  await makeGroup(azure, "g");
  const sku = { name: "Standard_LRS" };
  await azure.arm("PUT", `${account}?api-version=2024-01-01`, { location, kind: "StorageV2", sku });
});
after(() => azure[Symbol.asyncDispose]());

test("addresses of a prefix are taken from it, and it is deletable only when empty", async () => {
  const prefix = await network.publicIPPrefixes.createOrUpdate("g", "two", { location, prefixLength: 31 });
  const publicIPPrefix = { id: prefix.id ?? "" };
  const make = (name: string) =>
    network.publicIPAddresses.createOrUpdate("g", name, { location, publicIPPrefix }).pollUntilDone();
  const addresses = [(await make("one")).ipAddress, (await make("other")).ipAddress];
  assert.match(prefix.ipPrefix ?? "", /^20\.80\.\d+\.\d+\/31$/);
  assert.equal(addresses[0], prefix.ipPrefix?.split("/")[0]);
  assert.equal(new Set(addresses).size, 2);
  await assert.rejects(make("third"), refusal(400, "PublicIPCountLimitReached"));
  const read = await network.publicIPPrefixes.get("g", "two");
  assert.equal(read.publicIPAddresses?.length, 2);
  await assert.rejects(
    network.publicIPPrefixes.delete("g", "two").pollUntilDone(),
    refusal(400, "InUsePublicIpPrefixCannotBeDeleted"),
  );
  const second = await network.publicIPPrefixes.createOrUpdate("g", "more", { location, prefixLength: 28 });
  assert.notEqual(second.ipPrefix?.split("/")[0], prefix.ipPrefix?.split("/")[0]);
  await assert.rejects(
    network.publicIPPrefixes.createOrUpdate("g", "huge", { location, prefixLength: 8 }).pollUntilDone(),
    refusal(400, "InvalidPublicIpPrefixLength"),
  );
});

test("a region has one network watcher, and a resource has one flow log and shows it", async () => {
  await network.networkWatchers.createOrUpdate("g", "watcher", { location });
  await network.networkWatchers.createOrUpdate("g", "watcher", { location, tags: { a: "b" } });
  await assert.rejects(
    network.networkWatchers.createOrUpdate("g", "second", { location }),
    refusal(400, "NetworkWatcherCountLimitReached"),
  );
  const nsg = await network.networkSecurityGroups.createOrUpdate("g", "nsg", { location });
  const targetResourceId = nsg.id ?? "";
  const body = {
    location,
    targetResourceId,
    storageId: account,
    retentionPolicy: { days: 7, enabled: true },
  };
  const log = await network.flowLogs.createOrUpdate("g", "watcher", "log", body);
  assert.deepEqual([log.enabled, log.format?.type, log.retentionPolicy?.days], [true, "JSON", 7]);
  const shown = await network.networkSecurityGroups.get("g", "nsg");
  assert.equal(shown.flowLogs?.[0]?.id, log.id);
  await assert.rejects(
    network.flowLogs.createOrUpdate("g", "watcher", "twin", body).pollUntilDone(),
    refusal(400, "FlowLogAlreadyExistsForTargetResource"),
  );
  await assert.rejects(
    network.flowLogs
      .createOrUpdate("g", "watcher", "log", { ...body, storageId: `${account}2` })
      .pollUntilDone(),
    refusal(400, "InvalidResourceReference"),
  );
});

test("an application security group is in use by rules and interfaces", async () => {
  const asg = await network.applicationSecurityGroups.createOrUpdate("g", "web", { location });
  const rule = {
    name: "in",
    priority: 100,
    direction: "Inbound" as const,
    access: "Allow" as const,
    protocol: "Tcp" as const,
    sourceAddressPrefix: "*",
    sourcePortRange: "*",
    destinationPortRange: "443",
    destinationApplicationSecurityGroups: [{ id: asg.id ?? "", location }],
  };
  await network.networkSecurityGroups.createOrUpdate("g", "guard", { location, securityRules: [rule] });
  await assert.rejects(
    network.applicationSecurityGroups.delete("g", "web").pollUntilDone(),
    refusal(400, "InUseApplicationSecurityGroupCannotBeDeleted"),
  );
  await network.networkSecurityGroups.delete("g", "guard");
  await network.applicationSecurityGroups.delete("g", "web");
});

test("a private zone counts its sets and links, and is deletable after its links", async () => {
  const vnet = await network.virtualNetworks.createOrUpdate("g", "vnet", {
    location,
    addressSpace: { addressPrefixes: ["10.0.0.0/16"] },
    subnets: [
      { name: "s", addressPrefix: "10.0.0.0/24", serviceEndpoints: [{ service: "Microsoft.Storage" }] },
    ],
  });
  assert.equal(vnet.subnets?.[0]?.serviceEndpoints?.[0]?.provisioningState, "Succeeded");
  const zone = "demo.internal";
  await privateDns.privateZones.createOrUpdate("g", zone, { location: "global" });
  const { recordSets, virtualNetworkLinks } = privateDns;
  await recordSets.createOrUpdate("g", zone, "A", "api-int", {
    ttl: 300,
    aRecords: [{ ipv4Address: "10.0.0.7" }],
  });
  await recordSets.createOrUpdate("g", zone, "SRV", "_etcd._tcp", {
    ttl: 60,
    srvRecords: [{ priority: 0, weight: 10, port: 2380, target: "etcd-0" }],
  });
  const link = { location: "global", virtualNetwork: { id: vnet.id ?? "" } };
  const made = await virtualNetworkLinks.createOrUpdate("g", zone, "link", link);
  assert.deepEqual([made.virtualNetworkLinkState, made.registrationEnabled], ["Completed", false]);
  const read = await privateDns.privateZones.get("g", zone);
  assert.deepEqual([read.numberOfRecordSets, read.numberOfVirtualNetworkLinks], [3, 1]);
  const a = await recordSets.get("g", zone, "A", "api-int");
  assert.deepEqual(
    [a.ttl, a.fqdn, a.aRecords, a.isAutoRegistered],
    [300, "api-int.demo.internal.", [{ ipv4Address: "10.0.0.7" }], false],
  );
  assert.equal((await Array.fromAsync(recordSets.list("g", zone))).length, 3);
  await assert.rejects(
    recordSets.createOrUpdate("g", zone, "CNAME", "api-int", { ttl: 1, cnameRecord: { cname: "x" } }),
    refusal(400, "BadRequest"),
  );
  await assert.rejects(
    privateDns.privateZones.delete("g", zone).pollUntilDone(),
    refusal(409, "CannotDeleteResource"),
  );
  await virtualNetworkLinks.delete("g", zone, "link");
  await privateDns.privateZones.delete("g", zone);
});

test("a network can be written after the deletion of its peer", async () => {
  const make = (name: string, prefix: string) =>
    network.virtualNetworks.createOrUpdate("g", name, {
      location,
      addressSpace: { addressPrefixes: [prefix] },
    });
  await make("near", "10.8.0.0/16");
  const far = await make("far", "10.9.0.0/16");
  const remoteVirtualNetwork = { id: far.id ?? "" };
  await network.virtualNetworkPeerings.createOrUpdate("g", "near", "to-far", { remoteVirtualNetwork });
  await network.virtualNetworks.delete("g", "far");
  await network.subnets.createOrUpdate("g", "near", "s", { addressPrefix: "10.8.0.0/24" });
  await assert.rejects(
    network.virtualNetworkPeerings
      .createOrUpdate("g", "near", "new", { remoteVirtualNetwork: { id: `${far.id}2` } })
      .pollUntilDone(),
    refusal(400, "InvalidResourceReference"),
  );
});
