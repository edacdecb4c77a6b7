import { CloudError } from "@keelson/arm";
import { listMachineSkus } from "@keelson/azure";
import { vmSizes } from "@keelson/model";
import type { ActionContext } from "../context/action-context.ts";

/** The sizes of machines that the cluster's subscription may have in its region, in the order of their names. */
export async function availableSizes({ azure, document, signal }: ActionContext): Promise<readonly string[]> {
  const skus = await listMachineSkus(azure.compute, document.openShiftCluster.location, signal);
  return [...skus].flatMap(([name, { restricted }]) => (restricted ? [] : [name])).sort();
}

/** Sizes that masters may have. */
export const masterSizes: readonly string[] = vmSizes
  .filter(({ roles, developmentOnly }) => roles.includes("master") && !developmentOnly)
  .map(({ name }) => name);

/** @throws CloudError InvalidParameter for a size that masters may not have */
export function checkMasterSize(vmSize: string): void {
  const wanted = vmSize.toLowerCase();
  if (masterSizes.some((name) => name.toLowerCase() === wanted)) return;
  throw new CloudError("InvalidParameter", `The provided vmSize '${vmSize}' is unsupported for master.`);
}
