import type { JsonObject } from "@keelson/base";
import { badRequest } from "../arm/arm-error.ts";
import { keyOf, lastSegment, parentId } from "../arm/arm-path.ts";
import { newRecord } from "../arm/new-record.ts";
import { removeResource } from "../arm/removal.ts";
import type { ResourceType } from "../arm/resource-type.ts";
import type { Subscription } from "../arm/subscription.ts";
import { at, nonEmptyStringAt, objectsAt, withProperties } from "../base/json.ts";
import { resourceName } from "./names.ts";

const recordType = "Microsoft.Network/privateDnsZones/A";
const ttl = 10;

/** Private DNS zone groups. Each group maintains the A records of one private endpoint in private DNS zones. */
export const privateDnsZoneGroups: ResourceType = {
  namespace: "Microsoft.Network",
  type: "privateEndpoints/privateDnsZoneGroups",
  location: "none",
  etag: "weak",
  names: resourceName,
  references: [
    { path: ["privateDnsZoneConfigs", "*", "properties"], member: "privateDnsZoneId", soft: true },
  ],
  prepare({ id, body, existing }, subscription) {
    const endpoint = subscription.resources.find(parentId(id));
    const names = objectsAt(endpoint?.body, "properties", "customDnsConfigs");
    const configs = objectsAt(body, "properties", "privateDnsZoneConfigs").map((config) => {
      const zoneId = nonEmptyStringAt(config, "properties", "privateDnsZoneId");
      if (zoneId === undefined) {
        throw badRequest("InvalidRequestFormat", `Each zone of ${id} needs 'properties.privateDnsZoneId'.`);
      }
      return withProperties(config, { recordSets: names.map((each) => shownSet(zoneId, each)) });
    });
    const after = withProperties(body, { privateDnsZoneConfigs: configs });
    const kept = new Set(setsOf(after).map(({ id }) => keyOf(id)));
    for (const { id } of setsOf(existing?.body ?? {})) if (!kept.has(keyOf(id))) removeSet(id, subscription);
    for (const set of setsOf(after)) putSet(set, subscription);
    return { body: after };
  },
  removed(group, subscription) {
    for (const { id } of setsOf(group.body)) removeSet(id, subscription);
  },
};

interface RecordSet {
  readonly id: string;
  readonly fqdn: string;
  readonly addresses: readonly string[];
}

function shownSet(zoneId: string, name: JsonObject): JsonObject {
  const recordSetName = nonEmptyStringAt(name, "fqdn")?.split(".")[0] ?? "";
  return {
    recordType: "A",
    recordSetName,
    fqdn: `${recordSetName}.${lastSegment(zoneId)}`,
    ttl,
    ipAddresses: name.ipAddresses ?? [],
    provisioningState: "Succeeded",
  };
}

function setsOf(body: JsonObject): readonly RecordSet[] {
  return objectsAt(body, "properties", "privateDnsZoneConfigs").flatMap((config) => {
    const zoneId = nonEmptyStringAt(config, "properties", "privateDnsZoneId") ?? "";
    return objectsAt(config, "properties", "recordSets").map((set) => {
      const addresses = at(set, "ipAddresses");
      return {
        id: `${zoneId}/A/${nonEmptyStringAt(set, "recordSetName") ?? ""}`,
        fqdn: `${nonEmptyStringAt(set, "fqdn") ?? ""}.`,
        addresses: Array.isArray(addresses) ? addresses.map(String) : [],
      };
    });
  });
}

function putSet({ id, fqdn, addresses }: RecordSet, subscription: Subscription): void {
  const aRecords = addresses.map((ipv4Address) => ({ ipv4Address }));
  const properties = { ttl, fqdn, aRecords, provisioningState: "Succeeded" };
  const known = subscription.resources.find(id);
  // A missing zone is skipped here. The later validation of references rejects the request.
  if (!subscription.resources.find(parentId(id))) return;
  subscription.resources.put(
    known
      ? { ...known, body: { properties } }
      : newRecord(subscription, { id, type: recordType, body: { properties } }),
  );
}

function removeSet(id: string, subscription: Subscription): void {
  const record = subscription.resources.find(id);
  if (record) removeResource(subscription, record);
}
