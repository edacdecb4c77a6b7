import { isIPv4 } from "node:net";
import { networkInterfaces } from "node:os";

/**
 * Returns the address at which other machines reach a server that listens on `host`. Returns the machine's first IPv4 address,
 * unless `host` is an IPv4 address that other machines can reach. Returns undefined on a machine without a network.
 */
export function advertisedAddress(host: string): string | undefined {
  if (isIPv4(host) && host !== "0.0.0.0" && !host.startsWith("127.")) return host;
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return addresses.find(({ family, internal }) => family === "IPv4" && !internal)?.address;
}
