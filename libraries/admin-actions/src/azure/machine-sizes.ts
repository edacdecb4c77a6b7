import { CloudError } from "@keelson/arm";
import { listMachineSkus } from "@keelson/azure";
import { vmSizes } from "@keelson/model";
import type { ActionContext } from "../context/action-context.ts";

/** Returns the virtual machine sizes that are available to the cluster's subscription in its region, sorted by name. */
export async function availableSizes({ azure, document, signal }: ActionContext): Promise<readonly string[]> {
  const skus = await listMachineSkus(azure.compute, document.openShiftCluster.location, signal);
  return [...skus].flatMap(([name, { restricted }]) => (restricted ? [] : [name])).sort();
}

/** Supported virtual machine sizes for masters. */
export const masterSizes: readonly string[] = vmSizes
  .filter(({ roles, developmentOnly }) => roles.includes("master") && !developmentOnly)
  .map(({ name }) => name);

/**
 * Rejects unsupported master sizes.
 * @throws CloudError InvalidParameter
 */
export function checkMasterSize(vmSize: string): void {
  const wanted = vmSize.toLowerCase();
  if (masterSizes.some((name) => name.toLowerCase() === wanted)) return;
  throw new CloudError("InvalidParameter", `The provided vmSize '${vmSize}' is unsupported for master.`);
}
