import { CloudError } from "@keelson/arm";
import { findVmSize, type VmSize } from "@keelson/model";
import type { ActionContext } from "../context/action-context.ts";

/** Number of cores by lower-case quota name. */
type Cores = ReadonlyMap<string, number>;

/**
 * Checks that the region's quotas allow a resize of machines with the sizes `currentSizes` to the size `wanted`. A quota that
 * Azure does not list is unlimited.
 * @throws CloudError ResourceQuotaExceeded, InvalidParameter; errors of Azure
 */
export async function checkResizeQuota(
  { azure, document, signal }: ActionContext,
  currentSizes: readonly string[],
  wanted: string,
): Promise<void> {
  const needed = coresNeeded(currentSizes, wanted);
  if (needed.size === 0) return;
  const usages = azure.compute.usage.list(document.openShiftCluster.location, azure.call(signal));
  for await (const { name, limit, currentValue } of usages) {
    const quota = name.value ?? "";
    const additional = needed.get(quota.toLowerCase()) ?? 0;
    if (additional === 0 || additional <= limit - currentValue) continue;
    throw new CloudError(
      "ResourceQuotaExceeded",
      `Resource quota of ${quota} exceeded. Maximum allowed: ${limit}, Current in use: ${currentValue}, Additional requested: ${additional}.`,
      { target: "vmSize" },
    );
  }
}

/**
 * Returns the number of additional cores for each quota. If the old and the new size count towards the same quota, only the
 * difference of their cores is needed. The quota for all cores of the region is computed the same way.
 */
export function coresNeeded(currentSizes: readonly string[], wanted: string): Cores {
  const size = known(wanted, "vmSize", 400, `The provided VM SKU '${wanted}' is not supported.`);
  const needed = new Map<string, number>();
  const add = (quota: string, cores: number) => {
    const key = quota.toLowerCase();
    if (cores > 0) needed.set(key, (needed.get(key) ?? 0) + cores);
  };
  for (const name of currentSizes) {
    if (name.toLowerCase() === wanted.toLowerCase()) continue;
    const text = `The current VM SKU '${name}' could not be resolved.`;
    const current = known(name, "currentVMSize", 500, text);
    add(size.family, size.family === current.family ? size.cores - current.cores : size.cores);
    add("cores", size.cores - current.cores);
  }
  return needed;
}

function known(name: string, target: string, status: 400 | 500, message: string): VmSize {
  const size = findVmSize(name);
  if (size) return size;
  throw new CloudError(status === 400 ? "InvalidParameter" : "InternalServerError", message, { target });
}
