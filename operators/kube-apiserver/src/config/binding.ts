import { isIPv6 } from "node:net";

export interface Binding {
  readonly bindAddress: string;
  readonly bindNetwork: "tcp" | "tcp4" | "tcp6";
}

/**
 * Returns the listen address of an API server in a cluster with the given networks. With IPv4 and IPv6 networks, the address
 * covers both families.
 */
export function bindingFor(networks: readonly string[]): Binding {
  if (networks.length > 1) return { bindAddress: "[::]:6443", bindNetwork: "tcp" };
  const [network] = networks;
  return network !== undefined && isIPv6(network.split("/")[0] ?? "")
    ? { bindAddress: "[::]:6443", bindNetwork: "tcp6" }
    : { bindAddress: "0.0.0.0:6443", bindNetwork: "tcp4" };
}
