import type { ZoneIndex } from "./zone-index.ts";

const apiServerName = /^(?:api|api-int)\.(.+)$/;

/**
 * Returns the domain of a cluster for the name of its API server (`api.{domain}` or `api-int.{domain}`). Returns `undefined` for
 * other names, or if no public zone has an A record `api.{domain}`.
 */
export function clusterDomainOf(zones: ZoneIndex, name: string): string | undefined {
  const domain = apiServerName.exec(name.toLowerCase().replace(/\.$/, ""))?.[1];
  const zone = domain === undefined ? undefined : zones.zoneOf(domain);
  if (domain === undefined || !zone || domain === zone.name.toLowerCase()) return undefined;
  const relative = domain.slice(0, -(zone.name.length + 1));
  return zones.recordSet(zone, "A", `api.${relative}`) ? domain : undefined;
}
