import type { ZoneIndex } from "./zone-index.ts";

/** IPv4 address of the API server of a cluster, by the cluster's domain. */
export type ClusterAddress = (domain: string) => string;

const apiServerName = /^(?:api|api-int)\.(.+)$/;

/**
 * Returns the domain of the cluster with an API server of this name: `api.{domain}` or `api-int.{domain}`, if
 * a public zone has an A record `api.{domain}`. `undefined` for other names.
 */
export function clusterDomainOf(zones: ZoneIndex, name: string): string | undefined {
  const domain = apiServerName.exec(name.toLowerCase().replace(/\.$/, ""))?.[1];
  const zone = domain === undefined ? undefined : zones.zoneOf(domain);
  if (domain === undefined || !zone || domain === zone.name.toLowerCase()) return undefined;
  const relative = domain.slice(0, -(zone.name.length + 1));
  return zones.recordSet(zone, "A", `api.${relative}`) ? domain : undefined;
}
