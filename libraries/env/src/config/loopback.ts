import { BlockList, isIPv6 } from "node:net";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");
// The same IPv4 addresses, as a socket of both families writes them.
loopback.addSubnet("::ffff:127.0.0.0", 104, "ipv6");

/** Of an address only: what a name means can change between this check and the listening. */
export function isLoopbackAddress(address: string): boolean {
  return loopback.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}
