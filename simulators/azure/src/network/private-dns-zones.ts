import { ArmError, badRequest } from "../arm/arm-error.ts";
import type { ResourceType } from "../arm/resource-type.ts";
import { at, nonEmptyStringAt, withProperties } from "../base/json.ts";
import { privateSpelling, recordSetTypes } from "./dns-record-sets.ts";
import { allRecordSets, apexRecordSet, dnsZones, recordSetsOf } from "./dns-zones.ts";
import { resourceName } from "./names.ts";

const linksIn = (zoneId: string) => `${zoneId}/virtualNetworkLinks`;

export const privateDnsZones: ResourceType = {
  namespace: "Microsoft.Network",
  type: "privateDnsZones",
  location: "global",
  etag: "plain",
  names: dnsZones.names,
  readOnly: [
    "numberOfRecordSets",
    "maxNumberOfRecordSets",
    "numberOfVirtualNetworkLinks",
    "maxNumberOfVirtualNetworkLinks",
    "internalId",
  ],
  actions: { all: allRecordSets },
  prepare: ({ body }) => ({ body }),
  created(zone, subscription) {
    const soaRecord = {
      host: "azureprivatedns.net",
      email: "azureprivatedns-host.microsoft.com",
      serialNumber: 1,
      refreshTime: 3_600,
      retryTime: 300,
      expireTime: 2_419_200,
      minimumTtl: 10,
    };
    subscription.resources.put(apexRecordSet(zone, "SOA", { ttl: 3_600, soaRecord }, subscription));
  },
  checkDelete(zone, subscription) {
    const [link] = subscription.resources.inCollection(linksIn(zone.id));
    if (!link) return;
    throw new ArmError(
      409,
      "CannotDeleteResource",
      `Cannot delete resource while nested resources exist. Some existing nested resource IDs include: '${link.id}'. Please delete all nested resources before deleting this resource.`,
    );
  },
  render: (zone, subscription) =>
    withProperties(zone.body, {
      numberOfRecordSets: recordSetsOf(zone, subscription).length,
      maxNumberOfRecordSets: 25_000,
      numberOfVirtualNetworkLinks: subscription.resources.inCollection(linksIn(zone.id)).length,
      maxNumberOfVirtualNetworkLinks: 1_000,
    }),
};

/** Links of a private DNS zone to networks. Machines in a linked network can resolve the zone. */
export const virtualNetworkLinks: ResourceType = {
  namespace: "Microsoft.Network",
  type: "privateDnsZones/virtualNetworkLinks",
  location: "global",
  etag: "plain",
  names: resourceName,
  readOnly: ["virtualNetworkLinkState"],
  references: [{ path: ["virtualNetwork"], soft: true }],
  prepare({ id, body, existing }) {
    const network = nonEmptyStringAt(body, "properties", "virtualNetwork", "id");
    const before = nonEmptyStringAt(existing?.body, "properties", "virtualNetwork", "id") ?? network;
    if (network === undefined || before?.toLowerCase() !== network.toLowerCase()) {
      throw badRequest(
        "BadRequest",
        `The virtual network of the link ${id} is missing, or is not the one it was made with.`,
      );
    }
    return {
      body: withProperties(body, {
        registrationEnabled: at(body, "properties", "registrationEnabled") ?? false,
        virtualNetworkLinkState: "Completed",
      }),
    };
  },
};

export const privateDnsRecordSets = recordSetTypes(
  "privateDnsZones",
  ["A", "AAAA", "CNAME", "MX", "PTR", "SOA", "SRV", "TXT"],
  privateSpelling,
);
