import { after, before } from "node:test";
import type { NetworkManagementClient } from "@azure/arm-network";
import { PrivateDnsManagementClient } from "@azure/arm-privatedns";
import { armArguments, makeGroup, testLifeCycles } from "../testing/sdk.ts";
import { location, startTestAzure, subscriptionId, type TestAzure } from "../testing/test-azure.ts";

let azure: TestAzure;
let network: NetworkManagementClient;
let dns: TestAzure["clients"]["dns"];
let privateDns: PrivateDnsManagementClient;

const provider = `/subscriptions/${subscriptionId}/resourceGroups/g/providers/Microsoft.Network`;
const base = { id: `${provider}/virtualNetworks/base` };
const subnet = { id: `${base.id}/subnets/s` };
const frontend = { id: `${provider}/loadBalancers/base/frontendIPConfigurations/f` };
const service = { id: `${provider}/privateLinkServices/base` };
const nsg = `${provider}/networkSecurityGroups/base`;
const account = `/subscriptions/${subscriptionId}/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/base1`;
const global = { location: "global" };

before(async () => {
  azure = await startTestAzure();
  ({ network, dns } = azure.clients);
  privateDns = new PrivateDnsManagementClient(...armArguments(azure));
  await makeGroup(azure, "g");
  await network.networkSecurityGroups.createOrUpdate("g", "base", { location });
  await network.virtualNetworks.createOrUpdate("g", "base", {
    location,
    addressSpace: { addressPrefixes: ["10.0.0.0/16"] },
    subnets: [{ name: "s", addressPrefix: "10.0.0.0/24", privateLinkServiceNetworkPolicies: "Disabled" }],
  });
  await network.loadBalancers.createOrUpdate("g", "base", {
    location,
    sku: { name: "Standard" },
    frontendIPConfigurations: [{ name: "f", subnet }],
  });
  await network.privateLinkServices.createOrUpdate("g", "base", {
    location,
    loadBalancerFrontendIpConfigurations: [frontend],
    ipConfigurations: [{ name: "nat", subnet }],
  });
  await network.networkWatchers.createOrUpdate("g", "base", { location });
  await dns.zones.createOrUpdate("g", "base.example.com", global);
  await privateDns.privateZones.createOrUpdate("g", "base.internal", global);
  const sku = { name: "Standard_LRS" };
  await azure.arm("PUT", `${account}?api-version=2024-01-01`, { location, kind: "StorageV2", sku });
});
after(() => azure[Symbol.asyncDispose]());

const named = ["g", "x"] as const;
const inBase = ["g", "base", "x"] as const;
const record = ["g", "base.example.com", "x", "A"] as const;
const privateRecord = ["g", "base.internal", "A", "x"] as const;
const link = ["g", "base.internal", "x"] as const;

testLifeCycles([
  {
    name: "virtualNetworks",
    create: () =>
      network.virtualNetworks.createOrUpdate(...named, {
        location,
        addressSpace: { addressPrefixes: ["10.1.0.0/16"] },
      }),
    get: () => network.virtualNetworks.get(...named),
    list: () => network.virtualNetworks.list("g"),
    remove: () => network.virtualNetworks.delete(...named),
  },
  {
    name: "subnets",
    create: () => network.subnets.createOrUpdate(...inBase, { addressPrefix: "10.0.1.0/24" }),
    get: () => network.subnets.get(...inBase),
    list: () => network.subnets.list("g", "base"),
    remove: () => network.subnets.delete(...inBase),
  },
  {
    name: "virtualNetworkPeerings",
    create: () =>
      network.virtualNetworkPeerings.createOrUpdate(...inBase, { remoteVirtualNetwork: { id: base.id } }),
    get: () => network.virtualNetworkPeerings.get(...inBase),
    list: () => network.virtualNetworkPeerings.list("g", "base"),
    remove: () => network.virtualNetworkPeerings.delete(...inBase),
  },
  {
    name: "networkSecurityGroups",
    create: () => network.networkSecurityGroups.createOrUpdate(...named, { location }),
    get: () => network.networkSecurityGroups.get(...named),
    list: () => network.networkSecurityGroups.listAll(),
    remove: () => network.networkSecurityGroups.delete(...named),
  },
  {
    name: "applicationSecurityGroups",
    create: () => network.applicationSecurityGroups.createOrUpdate(...named, { location }),
    get: () => network.applicationSecurityGroups.get(...named),
    list: () => network.applicationSecurityGroups.list("g"),
    remove: () => network.applicationSecurityGroups.delete(...named),
  },
  {
    name: "routeTables",
    create: () => network.routeTables.createOrUpdate(...named, { location }),
    get: () => network.routeTables.get(...named),
    list: () => network.routeTables.list("g"),
    remove: () => network.routeTables.delete(...named),
  },
  {
    name: "natGateways",
    create: () => network.natGateways.createOrUpdate(...named, { location, sku: { name: "Standard" } }),
    get: () => network.natGateways.get(...named),
    list: () => network.natGateways.list("g"),
    remove: () => network.natGateways.delete(...named),
  },
  {
    name: "publicIPAddresses",
    create: () => network.publicIPAddresses.createOrUpdate(...named, { location }),
    get: () => network.publicIPAddresses.get(...named),
    list: () => network.publicIPAddresses.list("g"),
    remove: () => network.publicIPAddresses.delete(...named),
  },
  {
    name: "publicIPPrefixes",
    create: () => network.publicIPPrefixes.createOrUpdate(...named, { location, prefixLength: 30 }),
    get: () => network.publicIPPrefixes.get(...named),
    list: () => network.publicIPPrefixes.listAll(),
    remove: () => network.publicIPPrefixes.delete(...named),
  },
  {
    name: "loadBalancers",
    create: () => network.loadBalancers.createOrUpdate(...named, { location, sku: { name: "Standard" } }),
    get: () => network.loadBalancers.get(...named),
    list: () => network.loadBalancers.list("g"),
    remove: () => network.loadBalancers.delete(...named),
  },
  {
    name: "networkInterfaces",
    create: () =>
      network.networkInterfaces.createOrUpdate(...named, {
        location,
        ipConfigurations: [{ name: "ip", subnet }],
      }),
    get: () => network.networkInterfaces.get(...named),
    list: () => network.networkInterfaces.list("g"),
    remove: () => network.networkInterfaces.delete(...named),
  },
  {
    name: "privateLinkServices",
    create: () =>
      network.privateLinkServices.createOrUpdate(...named, {
        location,
        loadBalancerFrontendIpConfigurations: [frontend],
        ipConfigurations: [{ name: "nat", subnet }],
      }),
    get: () => network.privateLinkServices.get(...named),
    list: () => network.privateLinkServices.list("g"),
    remove: () => network.privateLinkServices.delete(...named),
  },
  {
    name: "privateEndpoints",
    create: () =>
      network.privateEndpoints.createOrUpdate(...named, {
        location,
        subnet,
        privateLinkServiceConnections: [{ name: "c", privateLinkServiceId: service.id }],
      }),
    get: () => network.privateEndpoints.get(...named),
    list: () => network.privateEndpoints.listBySubscription(),
    remove: () => network.privateEndpoints.delete(...named),
  },
  {
    name: "networkWatchers",
    create: () => network.networkWatchers.createOrUpdate(...named, { location: "westeurope" }),
    get: () => network.networkWatchers.get(...named),
    list: () => network.networkWatchers.listAll(),
    remove: () => network.networkWatchers.delete(...named),
  },
  {
    name: "flowLogs",
    create: () =>
      network.flowLogs.createOrUpdate(...inBase, { location, targetResourceId: nsg, storageId: account }),
    get: () => network.flowLogs.get(...inBase),
    list: () => network.flowLogs.list("g", "base"),
    remove: () => network.flowLogs.delete(...inBase),
  },
  {
    name: "dnsZones",
    create: () => dns.zones.createOrUpdate("g", "x.example.com", global),
    get: () => dns.zones.get("g", "x.example.com"),
    list: () => dns.zones.list(),
    remove: () => dns.zones.beginDeleteAndWait("g", "x.example.com"),
  },
  {
    name: "dnsZones/A",
    create: () =>
      dns.recordSets.createOrUpdate(...record, { ttl: 60, aRecords: [{ ipv4Address: "192.0.2.1" }] }),
    get: () => dns.recordSets.get(...record),
    list: () => dns.recordSets.listByDnsZone("g", "base.example.com"),
    remove: () => dns.recordSets.delete(...record),
  },
  {
    name: "privateDnsZones",
    create: () => privateDns.privateZones.createOrUpdate("g", "x.internal", global),
    get: () => privateDns.privateZones.get("g", "x.internal"),
    list: () => privateDns.privateZones.listByResourceGroup("g"),
    remove: () => privateDns.privateZones.delete("g", "x.internal"),
  },
  {
    name: "privateDnsZones/virtualNetworkLinks",
    create: () => privateDns.virtualNetworkLinks.createOrUpdate(...link, { ...global, virtualNetwork: base }),
    get: () => privateDns.virtualNetworkLinks.get(...link),
    list: () => privateDns.virtualNetworkLinks.list("g", "base.internal"),
    remove: () => privateDns.virtualNetworkLinks.delete(...link),
  },
  {
    name: "privateDnsZones/A",
    create: () =>
      privateDns.recordSets.createOrUpdate(...privateRecord, {
        ttl: 60,
        aRecords: [{ ipv4Address: "10.0.0.9" }],
      }),
    get: () => privateDns.recordSets.get(...privateRecord),
    list: () => privateDns.recordSets.list("g", "base.internal"),
    remove: () => privateDns.recordSets.delete(...privateRecord),
  },
]);
