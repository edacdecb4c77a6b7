import { lastSegment } from "../arm/arm-path.ts";
import { newRecord } from "../arm/new-record.ts";
import { page } from "../arm/paging.ts";
import { renderResource } from "../arm/rendering.ts";
import type { ResourceRecord } from "../arm/resource.ts";
import type { ResourceAction, ResourceType } from "../arm/resource-type.ts";
import type { Subscription } from "../arm/subscription.ts";
import { at, withProperties } from "../base/json.ts";

const nameServers = [1, 2, 3, 4].map((n) => `ns${n}-01.azure-dns.${["com", "net", "org", "info"][n - 1]}.`);

/** Action for `GET .../recordsets` and `GET .../all`. Lists the record sets of all types. */
export const allRecordSets: ResourceAction = {
  method: "GET",
  run: (zone, request, subscription) =>
    page(
      request,
      recordSetsOf(zone, subscription),
      listKey,
      (each) => renderResource(each, subscription),
      subscription.pageSize,
    ),
};

/** Returns the sort key of a record set. The zone apex comes first, because zone files begin with the SOA record. */
function listKey({ id, name, type }: ResourceRecord): string {
  return `${name === "@" ? "" : name} ${lastSegment(type)} ${id}`.toLowerCase();
}

export const dnsZones: ResourceType = {
  namespace: "Microsoft.Network",
  type: "dnsZones",
  location: "global",
  etag: "plain",
  provisioningState: false,
  names: /^(?=.{1,253}$)([A-Za-z0-9_]([\w-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z0-9-]{2,63}$/,
  readOnly: ["nameServers", "numberOfRecordSets", "maxNumberOfRecordSets"],
  actions: { recordsets: allRecordSets, all: allRecordSets },
  prepare: ({ body }) => ({
    body: withProperties(body, { zoneType: at(body, "properties", "zoneType") ?? "Public", nameServers }),
  }),
  created(zone, subscription) {
    const nsRecords = nameServers.map((nsdname) => ({ nsdname }));
    const soa = {
      host: nameServers[0] ?? "",
      email: "azuredns-hostmaster.microsoft.com",
      serialNumber: 1,
      refreshTime: 3_600,
      retryTime: 300,
      expireTime: 2_419_200,
      minimumTTL: 300,
    };
    subscription.resources.put(
      apexRecordSet(zone, "NS", { TTL: 172_800, NSRecords: nsRecords }, subscription),
    );
    subscription.resources.put(apexRecordSet(zone, "SOA", { TTL: 3_600, SOARecord: soa }, subscription));
  },
  render: (zone, subscription) =>
    withProperties(zone.body, {
      maxNumberOfRecordSets: 10_000,
      numberOfRecordSets: recordSetsOf(zone, subscription).length,
    }),
};

/** Returns the record sets of a public or private zone. */
export function recordSetsOf(zone: ResourceRecord, subscription: Subscription): readonly ResourceRecord[] {
  const kinds = /\/(A|AAAA|CAA|CNAME|MX|NS|PTR|SOA|SRV|TXT)$/;
  return subscription.resources.below(zone).filter((each) => kinds.test(each.type));
}

/** Returns an initial record set at the apex of a new zone. */
export function apexRecordSet(
  zone: ResourceRecord,
  kind: string,
  properties: ResourceRecord["body"],
  subscription: Subscription,
): ResourceRecord {
  const body = { properties: { ...properties, fqdn: `${zone.name}.`, provisioningState: "Succeeded" } };
  return newRecord(subscription, { id: `${zone.id}/${kind}/@`, type: `${zone.type}/${kind}`, body });
}
