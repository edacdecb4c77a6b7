import { BlockList, isIPv6 } from "node:net";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");
// IPv4 loopback addresses in the form of IPv4-mapped IPv6 addresses.
loopback.addSubnet("::ffff:127.0.0.0", 104, "ipv6");

/** True for a loopback IP address. Host names are not resolved, because their addresses can change before the socket is bound. */
export function isLoopbackAddress(address: string): boolean {
  return loopback.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}
