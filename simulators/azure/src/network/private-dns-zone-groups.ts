import type { JsonObject } from "@keelson/base";
import { badRequest } from "../arm/arm-error.ts";
import { keyOf, lastSegment, parentId } from "../arm/arm-path.ts";
import { newRecord } from "../arm/new-record.ts";
import { removeResource } from "../arm/removal.ts";
import type { ResourceType } from "../arm/resource-type.ts";
import type { World } from "../arm/world.ts";
import { at, objectsAt, textAt, withProperties } from "../json.ts";
import { resourceName } from "./names.ts";

const recordType = "Microsoft.Network/privateDnsZones/A";
const ttl = 10;

/** Keeps the addresses of a private endpoint in private DNS zones, under the names of what it reaches. */
export const privateDnsZoneGroups: ResourceType = {
  namespace: "Microsoft.Network",
  type: "privateEndpoints/privateDnsZoneGroups",
  scope: "resourceGroup",
  location: "none",
  etag: "weak",
  names: resourceName,
  references: [
    { path: ["privateDnsZoneConfigs", "*", "properties"], member: "privateDnsZoneId", soft: true },
  ],
  prepare({ id, body, existing }, world) {
    const endpoint = world.resources.find(parentId(id));
    const names = objectsAt(endpoint?.body, "properties", "customDnsConfigs");
    const configs = objectsAt(body, "properties", "privateDnsZoneConfigs").map((config) => {
      const zoneId = textAt(config, "properties", "privateDnsZoneId");
      if (zoneId === undefined) {
        throw badRequest("InvalidRequestFormat", `Each zone of ${id} needs 'properties.privateDnsZoneId'.`);
      }
      return withProperties(config, { recordSets: names.map((each) => shownSet(zoneId, each)) });
    });
    const after = withProperties(body, { privateDnsZoneConfigs: configs });
    const kept = new Set(setsOf(after).map(({ id }) => keyOf(id)));
    for (const { id } of setsOf(existing?.body ?? {})) if (!kept.has(keyOf(id))) removeSet(id, world);
    for (const set of setsOf(after)) putSet(set, world);
    return { body: after };
  },
  removed(group, world) {
    for (const { id } of setsOf(group.body)) removeSet(id, world);
  },
};

interface RecordSet {
  readonly id: string;
  readonly fqdn: string;
  readonly addresses: readonly string[];
}

function shownSet(zoneId: string, name: JsonObject): JsonObject {
  const recordSetName = textAt(name, "fqdn")?.split(".")[0] ?? "";
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
    const zoneId = textAt(config, "properties", "privateDnsZoneId") ?? "";
    return objectsAt(config, "properties", "recordSets").map((set) => {
      const addresses = at(set, "ipAddresses");
      return {
        id: `${zoneId}/A/${textAt(set, "recordSetName") ?? ""}`,
        fqdn: `${textAt(set, "fqdn") ?? ""}.`,
        addresses: Array.isArray(addresses) ? addresses.map(String) : [],
      };
    });
  });
}

function putSet({ id, fqdn, addresses }: RecordSet, world: World): void {
  const aRecords = addresses.map((ipv4Address) => ({ ipv4Address }));
  const properties = { ttl, fqdn, aRecords, provisioningState: "Succeeded" };
  const known = world.resources.find(id);
  // A zone that is not there is refused with the other references.
  if (!world.resources.find(parentId(id))) return;
  world.resources.put(
    known
      ? { ...known, body: { properties } }
      : newRecord(world, { id, type: recordType, body: { properties } }),
  );
}

function removeSet(id: string, world: World): void {
  const record = world.resources.find(id);
  if (record) removeResource(world, record);
}
