import type { ArmProvider } from "../arm/provider.ts";
import { listUsages } from "../arm/usages.ts";
import { applicationSecurityGroups } from "./application-security-groups.ts";
import { dnsRecordSets } from "./dns-record-sets.ts";
import { dnsZones } from "./dns-zones.ts";
import { loadBalancers } from "./load-balancers.ts";
import { natGateways } from "./nat-gateways.ts";
import { networkInterfaces } from "./network-interfaces.ts";
import { networkSecurityGroups } from "./network-security-groups.ts";
import { flowLogs, networkWatchers } from "./network-watchers.ts";
import { privateDnsZoneGroups } from "./private-dns-zone-groups.ts";
import { privateDnsRecordSets, privateDnsZones, virtualNetworkLinks } from "./private-dns-zones.ts";
import { privateEndpointConnections } from "./private-endpoint-connections.ts";
import { privateEndpoints } from "./private-endpoints.ts";
import { privateLinkServices } from "./private-link-services.ts";
import { publicIPAddresses } from "./public-ip-addresses.ts";
import { publicIPPrefixes } from "./public-ip-prefixes.ts";
import { routeTables } from "./route-tables.ts";
import { networkUsages } from "./usages.ts";
import { virtualNetworks } from "./virtual-networks.ts";

export const networkProvider: ArmProvider = {
  namespace: "Microsoft.Network",
  types: [
    virtualNetworks,
    networkSecurityGroups,
    routeTables,
    natGateways,
    publicIPAddresses,
    loadBalancers,
    networkInterfaces,
    dnsZones,
    ...dnsRecordSets,
    privateDnsZones,
    virtualNetworkLinks,
    ...privateDnsRecordSets,
    privateLinkServices,
    privateEndpointConnections,
    privateEndpoints,
    privateDnsZoneGroups,
    publicIPPrefixes,
    applicationSecurityGroups,
    networkWatchers,
    flowLogs,
  ],
  views: {
    "locations/usages": {
      method: "GET",
      run: ([location = ""], _request, subscription) =>
        listUsages(subscription, location, (place) => networkUsages(subscription, place)),
    },
  },
  firstApiVersion: "2014-12-01",
  statusOnly: true,
};
