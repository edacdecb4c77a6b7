import type { JsonObject } from "@keelson/base";
import type { Answer } from "dns-packet";
import type { ResourceRecord } from "../arm/resource.ts";
import { at, members, nonEmptyStringAt, objectsAt } from "../base/json.ts";
import { publicSpelling } from "../network/dns-record-sets.ts";

export const servedKinds = ["A", "AAAA", "CAA", "CNAME", "MX", "NS", "PTR", "SOA", "SRV", "TXT"] as const;
export type ServedKind = (typeof servedKinds)[number];

/** Returns the DNS records of a record set for `name`. */
export function recordsOf(set: ResourceRecord, kind: ServedKind, name: string): readonly Answer[] {
  const properties = set.body.properties;
  const member = publicSpelling.records(kind);
  const ttl = number(at(properties, publicSpelling.ttl), 3_600);
  const single = members(at(properties, member));
  const rows = Object.keys(single).length > 0 ? [single] : objectsAt(properties, member);
  return rows.flatMap((row) => answer(kind, name, ttl, row));
}

function answer(type: ServedKind, name: string, ttl: number, row: JsonObject): readonly Answer[] {
  const text = (member: string) => (nonEmptyStringAt(row, member) ?? "").replace(/\.$/, "");
  const count = (member: string, usual = 0) => number(row[member], usual);
  const base = { name, ttl, class: "IN" as const };
  switch (type) {
    case "A":
      return [{ ...base, type, data: text("ipv4Address") }];
    case "AAAA":
      return [{ ...base, type, data: text("ipv6Address") }];
    case "CNAME":
      return [{ ...base, type, data: text("cname") }];
    case "NS":
      return [{ ...base, type, data: text("nsdname") }];
    case "PTR":
      return [{ ...base, type, data: text("ptrdname") }];
    case "TXT": {
      const value = Array.isArray(row.value) ? row.value.map(String) : [];
      return [{ ...base, type, data: value }];
    }
    case "MX":
      return [{ ...base, type, data: { preference: count("preference"), exchange: text("exchange") } }];
    case "SRV": {
      const data = {
        priority: count("priority"),
        weight: count("weight"),
        port: count("port"),
        target: text("target"),
      };
      return [{ ...base, type, data }];
    }
    case "CAA": {
      const tag = nonEmptyStringAt(row, "tag");
      if (tag !== "issue" && tag !== "issuewild" && tag !== "iodef") return [];
      const value = nonEmptyStringAt(row, "value") ?? "";
      const flags = count("flags");
      return [{ ...base, type, data: { flags, tag, value, issuerCritical: flags >= 128 } }];
    }
    case "SOA": {
      const data = {
        mname: text("host"),
        rname: text("email"),
        serial: count("serialNumber", 1),
        refresh: count("refreshTime", 3_600),
        retry: count("retryTime", 300),
        expire: count("expireTime", 2_419_200),
        minimum: count("minimumTTL", 300),
      };
      return [{ ...base, type, data }];
    }
  }
}

function number(value: unknown, usual: number): number {
  return typeof value === "number" ? value : usual;
}
