import { isIPv4 } from "node:net";
import { networkInterfaces } from "node:os";

/**
 * The address by which others reach a server that listens on `host`: that itself, or the first of this machine where
 * it is a name, every address or a loopback address. `undefined` on a machine without a network.
 */
export function advertisedAddress(host: string): string | undefined {
  if (isIPv4(host) && host !== "0.0.0.0" && !host.startsWith("127.")) return host;
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return addresses.find(({ family, internal }) => family === "IPv4" && !internal)?.address;
}
