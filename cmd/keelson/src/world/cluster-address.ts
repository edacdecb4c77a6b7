import { createHash } from "node:crypto";

const sharedAddress = "127.0.0.1";

/**
 * Address of the API server of a cluster, by the cluster's domain. With `isOwn` each domain has an address in 127.0.0.0/8, which only
 * Linux has as a whole; the first 65,536 addresses are left to other programs.
 */
export function clusterAddressOf(domain: string, isOwn: boolean): string {
  if (!isOwn) return sharedAddress;
  const [second = 0, third = 0, last = 0] = createHash("sha256").update(domain.toLowerCase()).digest();
  return `127.${1 + (second % 254)}.${third}.${1 + (last % 254)}`;
}
