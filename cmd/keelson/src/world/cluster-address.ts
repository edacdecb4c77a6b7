import { createHash } from "node:crypto";

const sharedAddress = "127.0.0.1";

/**
 * Returns the address of a cluster's API server. With `isOwn`, each domain has a separate address in 127.0.0.0/8, which requires
 * Linux. The first 65,536 addresses of that network are not used, because other programs may use them.
 */
export function clusterAddressOf(domain: string, isOwn: boolean): string {
  if (!isOwn) return sharedAddress;
  const [second = 0, third = 0, last = 0] = createHash("sha256").update(domain.toLowerCase()).digest();
  return `127.${1 + (second % 254)}.${third}.${1 + (last % 254)}`;
}
