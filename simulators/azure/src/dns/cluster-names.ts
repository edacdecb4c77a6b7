import type { ZoneIndex } from "./zone-index.ts";

/** Returns the IPv4 address of a cluster's API server. The argument is the cluster's domain. */
export type ClusterAddress = (domain: string) => string;

const apiServerName = /^(?:api|api-int)\.(.+)$/;

/**
 * Returns the cluster domain for an API server name (`api.{domain}` or `api-int.{domain}`). A public zone must have an A record
 * `api.{domain}`. Returns `undefined` for other names.
 */
export function clusterDomainOf(zones: ZoneIndex, name: string): string | undefined {
  const domain = apiServerName.exec(name.toLowerCase().replace(/\.$/, ""))?.[1];
  const zone = domain === undefined ? undefined : zones.zoneOf(domain);
  if (domain === undefined || !zone || domain === zone.name.toLowerCase()) return undefined;
  const relative = domain.slice(0, -(zone.name.length + 1));
  return zones.recordSet(zone, "A", `api.${relative}`) ? domain : undefined;
}
