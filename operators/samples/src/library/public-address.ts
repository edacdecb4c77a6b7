import { type LookupAddress, lookup } from "node:dns";
import { BlockList, isIP, isIPv6, type LookupFunction } from "node:net";
import { contentErrors } from "../content/content-errors.ts";

/** Address ranges that are not public (IANA's special-purpose registries). */
const special = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const)
  special.addSubnet(network, prefix, "ipv4");
/** Public IPv6 range: global unicast. Documentation addresses and addresses that embed IPv4 addresses are excluded. */
const globalUnicast = new BlockList();
globalUnicast.addSubnet("2000::", 3, "ipv6");
for (const [network, prefix] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const)
  special.addSubnet(network, prefix, "ipv6");

/** True if the address is valid and public. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  if (isIPv6(address)) return globalUnicast.check(address, "ipv6") && !special.check(address, "ipv6");
  return !special.check(address, "ipv4");
}

/** Resolves a host name for a connection. Rejects a name that has a private address. */
export const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    if (error) return callback(error, []);
    const refused = addresses.find(({ address }) => !isPublicAddress(address));
    if (refused) return callback(refusal(hostname, refused.address), []);
    if (options.all) return callback(null, addresses);
    const [first] = addresses;
    callback(first ? null : refusal(hostname, "no address"), first?.address ?? "", first?.family);
  });
};

/**
 * Rejects a URL with a private IP address as host. For an IP address, no name is resolved, so `lookupPublic` cannot reject it.
 * @throws DownloadFailed
 */
export function checkLiteralAddress({ hostname }: URL): void {
  const address = hostname.replace(/^\[(.*)\]$/, "$1");
  if (isIP(address) !== 0 && !isPublicAddress(address)) throw refusal(hostname, address);
}

function refusal(host: string, address: string): Error {
  return contentErrors.DownloadFailed(
    `${host} is not a host of the internet (${address}): allow it with --allow-private-addresses`,
  );
}
