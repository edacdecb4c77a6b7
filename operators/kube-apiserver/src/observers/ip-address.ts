import { isIPv4, isIPv6, SocketAddress } from "node:net";

/**
 * IP address in its canonical form. IPv4-mapped IPv6 addresses become IPv4. `undefined` for invalid
 * addresses.
 */
export function canonicalAddress(text: string): string | undefined {
  // Zones are local to a machine, so the API rejects them.
  if (text.includes("%")) return undefined;
  if (isIPv4(text)) return text;
  if (!isIPv6(text)) return undefined;
  const { address } = new SocketAddress({ address: text, family: "ipv6" });
  const mapped = address.match(/^::ffff:(\d+\.\d+\.\d+\.\d+)$/)?.[1];
  return mapped ?? address;
}

/** True for documentation addresses, which earlier versions used as placeholders. */
export function isReservedAddress(address: string): boolean {
  return address.startsWith("192.0.2.") || address.startsWith("2001:db8:");
}

/** Address in the form of a URL's host. */
export function urlHost(address: string): string {
  return isIPv6(address) ? `[${address}]` : address;
}
