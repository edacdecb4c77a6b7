import { isIPv4, isIPv6, SocketAddress } from "node:net";

/** An IP address in its canonical form, IPv4 where it is one mapped into IPv6; undefined for anything else. */
export function canonicalAddress(text: string): string | undefined {
  // Zones are of one machine; the API has none.
  if (text.includes("%")) return undefined;
  if (isIPv4(text)) return text;
  if (!isIPv6(text)) return undefined;
  const { address } = new SocketAddress({ address: text, family: "ipv6" });
  const mapped = address.match(/^::ffff:(\d+\.\d+\.\d+\.\d+)$/)?.[1];
  return mapped ?? address;
}

/** For documentation only: earlier versions held them in the place of addresses. */
export function isReservedAddress(address: string): boolean {
  return address.startsWith("192.0.2.") || address.startsWith("2001:db8:");
}

/** As a host of a URL. */
export function urlHost(address: string): string {
  return isIPv6(address) ? `[${address}]` : address;
}
