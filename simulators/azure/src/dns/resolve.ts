import type { Answer } from "dns-packet";
import type { ResourceRecord } from "../arm/resource.ts";
import { registryOfHost } from "../proxy/azure-hosts.ts";
import { clusterDomainOf } from "./cluster-names.ts";
import { recordsOf, type ServedKind, servedKinds } from "./records.ts";
import type { ZoneIndex } from "./zone-index.ts";

/** Result of a query to an authoritative server without recursion. */
export interface Resolution {
  readonly code: "NOERROR" | "NXDOMAIN" | "REFUSED";
  readonly isAuthoritative: boolean;
  readonly answers: readonly Answer[];
  readonly authorities: readonly Answer[];
  readonly additionals: readonly Answer[];
}

/** Maximum number of CNAME records that are followed. */
const mostAliases = 8;

const refused: Resolution = {
  code: "REFUSED",
  isAuthoritative: false,
  answers: [],
  authorities: [],
  additionals: [],
};

/**
 * Resolves a name according to RFC 1034 section 4.3.2, with wildcards as in RFC 4592. CNAME records are followed within the zones
 * of this server. A query for a delegated name returns a referral. Names outside all zones are refused.
 */
export function resolve(zones: ZoneIndex, name: string, type: string): Resolution {
  const answers: Answer[] = [];
  let asked = name;
  for (let aliases = 0; aliases <= mostAliases; aliases++) {
    const step = resolveOnce(zones, asked, type);
    if (step.code === "REFUSED") {
      // The target of the CNAME record is outside the zones of this server, so the client must resolve the target.
      return answers.length === 0 ? refused : { ...refused, code: "NOERROR", isAuthoritative: true, answers };
    }
    answers.push(...step.answers);
    const [last] = step.answers;
    if (last?.type !== "CNAME" || type === "CNAME" || type === "ANY") return { ...step, answers };
    asked = last.data;
  }
  return { ...refused, code: "NOERROR", isAuthoritative: true, answers };
}

function resolveOnce(zones: ZoneIndex, name: string, type: string): Resolution {
  const lower = name.toLowerCase().replace(/\.$/, "");
  const zone = zones.zoneOf(lower);
  if (!zone) return registryAddress(zones, lower, type) ?? refused;
  const apex = zone.name.toLowerCase();
  const relative = lower === apex ? "@" : lower.slice(0, -(apex.length + 1));
  const cluster = zones.clusterAddress && clusterDomainOf(zones, lower);
  if (zones.clusterAddress && cluster) return atAddress(name, type, zones.clusterAddress(cluster));
  const referral = delegation(zones, zone, relative);
  if (referral) return referral;
  const at = holderOf(zones, zone, relative);
  const soa = zones.recordSet(zone, "SOA", "@");
  const negative = soa ? recordsOf(soa, "SOA", zone.name).map(shortened) : [];
  const base = { isAuthoritative: true, answers: [], authorities: negative, additionals: [] } as const;
  if (at === undefined) return { ...base, code: "NXDOMAIN" };
  const found = wantedKinds(type).flatMap((kind) => setAt(zones, zone, kind, at, name));
  const alias = found.length === 0 ? setAt(zones, zone, "CNAME", at, name) : [];
  const answers = [...found, ...alias];
  return { ...base, code: "NOERROR", answers, authorities: answers.length === 0 ? negative : [] };
}

const registryTtl = 60;

/**
 * Returns the address of a container registry, or undefined for other names. This is the address of the local machine, because
 * the proxy for Azure's host names listens there.
 */
function registryAddress(zones: ZoneIndex, name: string, type: string): Resolution | undefined {
  const registry = registryOfHost(name);
  if (registry === undefined || !zones.hasRegistry(registry)) return undefined;
  const answers: readonly Answer[] =
    type === "A" || type === "ANY" ? [{ type: "A", name, ttl: registryTtl, data: "127.0.0.1" }] : [];
  return { ...refused, code: "NOERROR", isAuthoritative: true, answers };
}

/**
 * Returns an A record for a simulated cluster's API server. The API server runs on the local machine, so the address of the
 * cluster's load balancer is not used.
 */
function atAddress(name: string, type: string, address: string): Resolution {
  const isWanted = type === "A" || type === "ANY";
  const answers: readonly Answer[] = isWanted ? [{ type: "A", name, ttl: clusterTtl, data: address }] : [];
  return { code: "NOERROR", isAuthoritative: true, answers, authorities: [], additionals: [] };
}

const clusterTtl = 30;

/**
 * Returns the name that has the records for a query. This is the queried name, or a wildcard below its closest existing ancestor.
 * Undefined if neither exists.
 */
function holderOf(zones: ZoneIndex, zone: ResourceRecord, relative: string): string | undefined {
  if (zones.exists(zone, relative)) return relative;
  const labels = relative.split(".");
  for (let start = 1; start <= labels.length; start++) {
    const ancestor = labels.slice(start).join(".") || "@";
    if (!zones.exists(zone, ancestor)) continue;
    const wildcard = ancestor === "@" ? "*" : `*.${ancestor}`;
    return zones.exists(zone, wildcard) ? wildcard : undefined;
  }
  return undefined;
}

/**
 * Returns a referral if the name is delegated to other name servers. The referral includes known addresses of these name servers.
 */
function delegation(zones: ZoneIndex, zone: ResourceRecord, relative: string): Resolution | undefined {
  const labels = relative === "@" ? [] : relative.split(".");
  for (let start = labels.length - 1; start >= 0; start--) {
    const cut = labels.slice(start).join(".");
    const authorities = setAt(zones, zone, "NS", cut, `${cut}.${zone.name}`);
    if (authorities.length === 0) continue;
    const additionals = authorities
      .flatMap((each) => (each.type === "NS" ? [each.data] : []))
      .flatMap((server) => glueOf(zones, zone, server));
    return { code: "NOERROR", isAuthoritative: false, answers: [], authorities, additionals };
  }
  return undefined;
}

function glueOf(zones: ZoneIndex, zone: ResourceRecord, server: string): readonly Answer[] {
  const suffix = `.${zone.name.toLowerCase()}`;
  const lower = server.toLowerCase();
  if (!lower.endsWith(suffix)) return [];
  const relative = lower.slice(0, -suffix.length);
  return (["A", "AAAA"] as const).flatMap((kind) => setAt(zones, zone, kind, relative, server));
}

function setAt(
  zones: ZoneIndex,
  zone: ResourceRecord,
  kind: ServedKind,
  relative: string,
  name: string,
): readonly Answer[] {
  const set = zones.recordSet(zone, kind, relative);
  return set ? recordsOf(set, kind, name) : [];
}

function wantedKinds(type: string): readonly ServedKind[] {
  return type === "ANY" ? servedKinds : servedKinds.filter((kind) => kind === type);
}

/** Limits the TTL of a negative response (RFC 2308). */
function shortened(soa: Answer): Answer {
  return soa.type === "SOA" ? { ...soa, ttl: Math.min(soa.ttl ?? 0, soa.data.minimum ?? 0) } : soa;
}
