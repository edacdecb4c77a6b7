import type { AzureClients } from "@keelson/azure";
import { findVmSize, type OpenShiftCluster, type Violation } from "@keelson/model";
import type { ProposedCreation } from "./azure-checks.ts";
import { invalid } from "./invalid.ts";
import { wantedMachines } from "./machines.ts";
import type { SharedReads } from "./shared-reads.ts";

/** Number of public addresses: two for the load balancers, and one for the cluster itself. */
const publicAddresses = 3;

/**
 * Checks that the subscription's remaining quotas in the region are sufficient for the cluster. If Azure does not list a quota,
 * the quota is unlimited. Messages: Azure/ARO-RP pkg/frontend/quota_validation.go.
 */
export async function checkQuota(
  { cluster, subscription }: ProposedCreation,
  azure: Pick<AzureClients, "compute" | "network">,
  reads: SharedReads<readonly Usage[]>,
  signal: AbortSignal,
): Promise<readonly Violation[]> {
  const { needed, unknown } = needsOf(cluster);
  if (unknown.length > 0) {
    return unknown.map((size) => invalid("", `The provided VM SKU ${size} is not supported.`));
  }
  const { location } = cluster;
  const key = `${subscription.id}/${location}`;
  const usages = await reads.of(key, (shared) => usagesOf(azure, location, shared), signal);
  return usages.flatMap(({ quota, limit, currentValue }) => {
    const additional = needed.get(quota.toLowerCase());
    if (additional === undefined || additional <= limit - currentValue) return [];
    return [
      {
        code: "ResourceQuotaExceeded",
        target: "",
        message: `Resource quota of ${quota} exceeded. Maximum allowed: ${limit}, Current in use: ${currentValue}, Additional requested: ${additional}.`,
      },
    ];
  });
}

export interface Usage {
  readonly quota: string;
  readonly limit: number;
  readonly currentValue: number;
}

async function usagesOf(
  { compute, network }: Pick<AzureClients, "compute" | "network">,
  location: string,
  abortSignal: AbortSignal,
): Promise<readonly Usage[]> {
  const usages = await Promise.all([
    Array.fromAsync(compute.usage.list(location, { abortSignal })),
    Array.fromAsync(network.usages.list(location, { abortSignal })),
  ]);
  return usages
    .flat()
    .map(({ name, limit, currentValue }) => ({ quota: name.value ?? "", limit, currentValue }));
}

/**
 * Returns the required amounts by quota name. The names are in lower case, because Azure spells VM family names inconsistently.
 */
function needsOf(cluster: OpenShiftCluster) {
  const needed = new Map([["publicipaddresses", publicAddresses]]);
  const unknown: string[] = [];
  const add = (quota: string, count: number) => {
    const key = quota.toLowerCase();
    needed.set(key, (needed.get(key) ?? 0) + count);
  };
  for (const { vmSize, count } of wantedMachines(cluster)) {
    const size = findVmSize(vmSize);
    if (!size) {
      unknown.push(vmSize);
      continue;
    }
    add("virtualMachines", count);
    add("PremiumDiskCount", count);
    add(size.family, size.cores * count);
    add("cores", size.cores * count);
  }
  return { needed, unknown };
}
