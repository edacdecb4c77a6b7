/** Addresses that a cluster must reach without its HTTP proxy. */
export interface ProxyExceptions {
  /** CIDRs of the machines' subnets. */
  readonly machineNetworks: readonly string[];
  /** CIDRs of the cluster's pods and Services. */
  readonly clusterNetworks: readonly string[];
  readonly gatewayDomains: readonly string[];
  readonly domain: string;
  /** Host of the internal API server URL. `internalApiHost` and `apiHost` are empty if the URL is unknown. */
  readonly internalApiHost: string;
  readonly apiHost: string;
  readonly hasOwnDns: boolean;
}

const always = ["localhost", "127.0.0.1", ".svc", ".cluster.local", "169.254.169.254"];
const azureDns = "168.63.129.16";

/** Returns the distinct entries of a comma-separated list. */
export function noProxyEntries(list: string): ReadonlySet<string> {
  return new Set(list.split(",").map((entry) => entry.trim()));
}

/** Returns the required entries that a `noProxy` list lacks, in the order in which they are reported. */
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
  // An entry for the cluster's domain also covers `.apps.{domain}` and the API server's hosts, although this is undocumented.
  if (!entries.has(domain) && !entries.has(`.${domain}`)) {
    if (!entries.has(`.apps.${domain}`)) missing.push(domain);
    const hosts = [needed.internalApiHost, needed.apiHost].filter((host) => host !== "");
    missing.push(...hosts.filter((host) => !entries.has(host)));
  }
  return missing;
}

/** True if the list contains the name or one of its parent domains. Parent domains with a single label do not count. */
function isCovered(name: string, entries: ReadonlySet<string>): boolean {
  const labels = name.split(".");
  return (
    entries.has(name) ||
    labels.some((_, at) => at > 0 && labels.length - at >= 2 && entries.has(labels.slice(at).join(".")))
  );
}
