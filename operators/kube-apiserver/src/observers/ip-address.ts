import { isIPv4, isIPv6, SocketAddress } from "node:net";

/** Returns the canonical form of an IP address. An IPv4-mapped IPv6 address becomes IPv4. `undefined` for an invalid address. */
export function canonicalAddress(text: string): string | undefined {
  // API servers reject addresses with a zone, because a zone has a meaning only on one machine.
  if (text.includes("%")) return undefined;
  if (isIPv4(text)) return text;
  if (!isIPv6(text)) return undefined;
  const { address } = new SocketAddress({ address: text, family: "ipv6" });
  const mapped = address.match(/^::ffff:(\d+\.\d+\.\d+\.\d+)$/)?.[1];
  return mapped ?? address;
}

/** True for an address in a range that is reserved for documentation. Earlier releases used such addresses as placeholders. */
export function isReservedAddress(address: string): boolean {
  return address.startsWith("192.0.2.") || address.startsWith("2001:db8:");
}

/** Returns the address in the form that URLs use for hosts. IPv6 addresses are in brackets. */
export function urlHost(address: string): string {
  return isIPv6(address) ? `[${address}]` : address;
}
