/** Addresses that a cluster must reach without its proxy. */
export interface ProxyExceptions {
  /** CIDRs of the subnets of its machines. */
  readonly machineNetworks: readonly string[];
  /** CIDRs of its pods and Services. */
  readonly clusterNetworks: readonly string[];
  readonly gatewayDomains: readonly string[];
  readonly domain: string;
  /** Empty while it is unknown, like the next one. */
  readonly internalApiHost: string;
  readonly apiHost: string;
  readonly hasOwnDns: boolean;
}

const always = ["localhost", "127.0.0.1", ".svc", ".cluster.local", "169.254.169.254"];
const azureDns = "168.63.129.16";

/** Returns the entries of a comma-separated list. */
export function noProxyEntries(list: string): ReadonlySet<string> {
  return new Set(list.split(",").map((entry) => entry.trim()));
}

/** Returns the missing entries of a `noProxy` list in the order in which they are reported. */
export function missingNoProxy(entries: ReadonlySet<string>, needed: ProxyExceptions): readonly string[] {
  const { domain, machineNetworks, clusterNetworks, gatewayDomains } = needed;
  const missing = [
    ...always,
    ...(needed.hasOwnDns ? [] : [azureDns]),
    ...machineNetworks,
    ...clusterNetworks,
  ].filter((entry) => !entries.has(entry));
  missing.push(
    ...gatewayDomains.map((name) => name.toLowerCase()).filter((name) => !isCovered(name, entries)),
  );
  // A cluster with its complete domain in the list works as well, although this is undocumented.
  if (!entries.has(domain) && !entries.has(`.${domain}`)) {
    if (!entries.has(`.apps.${domain}`)) missing.push(domain);
    const hosts = [needed.internalApiHost, needed.apiHost].filter((host) => host !== "");
    missing.push(...hosts.filter((host) => !entries.has(host)));
  }
  return missing;
}

/** True if the list has the name, or a domain above it with at least two labels. */
function isCovered(name: string, entries: ReadonlySet<string>): boolean {
  const labels = name.split(".");
  return (
    entries.has(name) ||
    labels.some((_, at) => at > 0 && labels.length - at >= 2 && entries.has(labels.slice(at).join(".")))
  );
}
