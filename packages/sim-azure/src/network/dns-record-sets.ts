import { isIPv4, isIPv6 } from "node:net";
import type { JsonObject } from "@keelson/base";
import { badRequest } from "../arm/arm-error.ts";
import { lastSegment, parentId, sameId } from "../arm/arm-path.ts";
import type { Draft, ResourceType } from "../arm/resource-type.ts";
import type { World } from "../arm/world.ts";
import { at, members, objectsAt, textAt, withProperties } from "../json.ts";

/** Record types, with the check of what their sets hold. */
const kinds: Readonly<Record<string, (properties: JsonObject, draft: Draft) => void>> = {
  A: (properties, draft) => checkAddresses(properties, "ARecords", "ipv4Address", isIPv4, draft),
  AAAA: (properties, draft) => checkAddresses(properties, "AAAARecords", "ipv6Address", isIPv6, draft),
  CNAME(properties, draft) {
    if (!textAt(properties, "CNAMERecord", "cname"))
      throw invalid(draft, "a CNAME record set needs 'CNAMERecord.cname'");
  },
  TXT(properties, draft) {
    const records = objectsAt(properties, "TXTRecords");
    if (!records.every((each) => Array.isArray(each.value)))
      throw invalid(draft, "each TXT record needs a list 'value'");
  },
  NS: () => {},
  SOA: () => {},
};

export const dnsRecordSets: readonly ResourceType[] = Object.entries(kinds).map(([kind, check]) => ({
  namespace: "Microsoft.Network",
  type: `dnsZones/${kind}`,
  scope: "resourceGroup",
  location: "none",
  etag: "plain",
  names:
    /^(?=.{1,253}$)(@|\*|(\*\.)?[A-Za-z0-9_]([\w-]*[A-Za-z0-9_])?(\.[A-Za-z0-9_]([\w-]*[A-Za-z0-9_])?)*)$/,
  readOnly: ["fqdn"],
  checkDelete(record) {
    if ((kind !== "NS" && kind !== "SOA") || record.name !== "@") return;
    throw badRequest(
      "BadRequest",
      `The record set of type '${kind}' at the top of a zone cannot be deleted.`,
    );
  },
  prepare(draft, world) {
    const ttl = at(draft.body, "properties", "TTL") ?? 3_600;
    if (typeof ttl !== "number" || !Number.isInteger(ttl) || ttl < 1 || ttl > 2_147_483_647) {
      throw invalid(draft, `the TTL '${String(ttl)}' is not between 1 and 2147483647 seconds`);
    }
    check(members(draft.body.properties), draft);
    checkAlias(kind, draft, world);
    const zone = lastSegment(parentId(draft.id));
    const fqdn = draft.name === "@" ? `${zone}.` : `${draft.name}.${zone}.`;
    return { body: withProperties(draft.body, { TTL: ttl, fqdn, targetResource: {} }) };
  },
}));

/** A name that has a CNAME record set has no other. */
function checkAlias(kind: string, draft: Draft, world: World): void {
  const zoneId = parentId(draft.id);
  const zone = world.resources.find(zoneId);
  const others = zone ? world.resources.below(zone) : [];
  const clash = others.find(
    (each) =>
      each.name.toLowerCase() === draft.name.toLowerCase() &&
      sameId(parentId(each.id), zoneId) &&
      each.type !== `Microsoft.Network/dnsZones/${kind}` &&
      (kind === "CNAME" || each.type === "Microsoft.Network/dnsZones/CNAME"),
  );
  if (clash) throw invalid(draft, `a record set of another type with the same name exists: ${clash.id}`);
}

function checkAddresses(
  properties: JsonObject,
  list: string,
  member: string,
  valid: (text: string) => boolean,
  draft: Draft,
): void {
  for (const record of objectsAt(properties, list)) {
    const address = textAt(record, member) ?? "";
    if (!valid(address)) throw invalid(draft, `'${address}' is not an address`);
  }
}

function invalid(draft: Draft, reason: string): Error {
  return badRequest("BadRequest", `The record set '${draft.name}' cannot be written: ${reason}.`);
}
