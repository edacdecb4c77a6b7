import { CloudError } from "@keelson/arm";
import type { ActionContext } from "../context/action-context.ts";
import { getVm, onVm } from "./virtual-machine.ts";

/**
 * Redeploys a virtual machine to a different host and waits for the result. Rejects a machine with an ephemeral disk, because the
 * redeployment would erase the disk.
 * @throws CloudError InvalidParameter, NotFound, Forbidden; errors of Azure
 */
export async function redeployVm(context: ActionContext, vmName: string): Promise<void> {
  const { storageProfile } = await getVm(context, vmName);
  const { caching, diffDiskSettings } = storageProfile?.osDisk ?? {};
  const { option, placement } = diffDiskSettings ?? {};
  if (caching === "ReadOnly" && option === "Local" && placement === "CacheDisk") {
    const message = `VM '${vmName}' has an Ephemeral Disk OS and cannot be redeployed.`;
    throw new CloudError("Forbidden", message);
  }
  const call = context.azure.call(context.signal);
  await onVm(context, vmName, ({ virtualMachines }, group) =>
    virtualMachines.redeploy(group, vmName, call).pollUntilDone(call),
  );
}
