import { isIPv4, isIPv6 } from "node:net";
import type { JsonObject } from "@keelson/base";
import { badRequest } from "../arm/arm-error.ts";
import { lastSegment, parentId } from "../arm/arm-path.ts";
import type { Draft, ResourceType } from "../arm/resource-type.ts";
import type { Subscription } from "../arm/subscription.ts";
import { at, members, nonEmptyStringAt, objectsAt, withProperties } from "../base/json.ts";

/** Property names of record sets. Public and private zones use different names. */
export interface RecordSpelling {
  readonly ttl: string;
  /** Returns the property that contains the records of a type: `ARecords` or `aRecords`, `CNAMERecord` or `cnameRecord`. */
  records(kind: string): string;
  /** Additional properties of each record set. */
  readonly members?: JsonObject;
}

export const publicSpelling: RecordSpelling = {
  ttl: "TTL",
  records: (kind) => (kind === "CAA" ? "caaRecords" : kind + (singles.includes(kind) ? "Record" : "Records")),
};

export const privateSpelling: RecordSpelling = {
  ttl: "ttl",
  members: { isAutoRegistered: false },
  records: (kind) => kind.toLowerCase() + (singles.includes(kind) ? "Record" : "Records"),
};

/** Record types with a single record instead of a list. */
const singles = ["CNAME", "SOA"];

const addresses: Readonly<Record<string, { member: string; valid: (text: string) => boolean }>> = {
  A: { member: "ipv4Address", valid: isIPv4 },
  AAAA: { member: "ipv6Address", valid: isIPv6 },
};

/** Returns the resource types of record sets in public or private zones, one resource type for each record type. */
export function recordSetTypes(
  zoneType: string,
  kinds: readonly string[],
  spelling: RecordSpelling,
): readonly ResourceType[] {
  return kinds.map((kind) => ({
    namespace: "Microsoft.Network",
    type: `${zoneType}/${kind}`,
    location: "none",
    etag: "plain",
    names:
      /^(?=.{1,253}$)(@|\*|(\*\.)?[A-Za-z0-9_]([\w-]*[A-Za-z0-9_])?(\.[A-Za-z0-9_]([\w-]*[A-Za-z0-9_])?)*)$/,
    readOnly: ["fqdn", "isAutoRegistered"],
    checkDelete(record) {
      if ((kind !== "NS" && kind !== "SOA") || record.name !== "@") return;
      throw badRequest(
        "BadRequest",
        `The record set of type '${kind}' at the top of a zone cannot be deleted.`,
      );
    },
    prepare(draft, subscription) {
      const ttl = at(draft.body, "properties", spelling.ttl) ?? 3_600;
      if (typeof ttl !== "number" || !Number.isInteger(ttl) || ttl < 1 || ttl > 2_147_483_647) {
        throw invalid(draft, `the TTL '${String(ttl)}' is not between 1 and 2147483647 seconds`);
      }
      checkRecords(kind, draft, spelling);
      checkAlias(kinds, kind, draft, subscription);
      const zone = lastSegment(parentId(draft.id));
      const fqdn = draft.name === "@" ? `${zone}.` : `${draft.name}.${zone}.`;
      return { body: withProperties(draft.body, { [spelling.ttl]: ttl, fqdn, targetResource: {} }) };
    },
    render: ({ body }) => withProperties(body, spelling.members ?? {}),
  }));
}

export const dnsRecordSets = recordSetTypes(
  "dnsZones",
  ["A", "AAAA", "CAA", "CNAME", "MX", "NS", "PTR", "SOA", "SRV", "TXT"],
  publicSpelling,
);

function checkRecords(kind: string, draft: Draft, spelling: RecordSpelling): void {
  const properties = members(draft.body.properties);
  const list = spelling.records(kind);
  const address = addresses[kind];
  for (const record of address ? objectsAt(properties, list) : []) {
    const text = nonEmptyStringAt(record, address?.member ?? "") ?? "";
    if (!address?.valid(text)) throw invalid(draft, `'${text}' is not an address`);
  }
  if (kind === "CNAME" && !nonEmptyStringAt(properties, list, "cname")) {
    throw invalid(draft, `a CNAME record set needs '${list}.cname'`);
  }
  if (kind === "TXT" && !objectsAt(properties, list).every((each) => Array.isArray(each.value))) {
    throw invalid(draft, "each TXT record needs a list 'value'");
  }
}

/** Ensures that a CNAME record set is the only record set with its name. Rejects a draft that would violate this rule. */
function checkAlias(kinds: readonly string[], kind: string, draft: Draft, subscription: Subscription): void {
  const others = kind === "CNAME" ? kinds.filter((each) => each !== kind) : ["CNAME"];
  const zoneId = parentId(draft.id);
  const [clash] = others.flatMap(
    (each) => subscription.resources.find(`${zoneId}/${each}/${draft.name}`) ?? [],
  );
  if (clash) throw invalid(draft, `a record set of another type with the same name exists: ${clash.id}`);
}

function invalid(draft: Draft, reason: string): Error {
  return badRequest("BadRequest", `The record set '${draft.name}' cannot be written: ${reason}.`);
}
