import type { AzureClients } from "@keelson/azure";
import type { ActionContext } from "../context/action-context.ts";
import { checkVmName } from "../context/object-rules.ts";
import { managedGroupOf, named } from "./managed-group.ts";

export type VirtualMachine = Awaited<ReturnType<AzureClients["compute"]["virtualMachines"]["get"]>>;

/**
 * Returns a virtual machine of the cluster.
 * @throws CloudError NotFound
 */
export function getVm(context: ActionContext, vmName: string): Promise<VirtualMachine> {
  return onVm(context, vmName, ({ virtualMachines }, group) =>
    virtualMachines.get(group, vmName, { ...context.azure.call(context.signal), expand: "instanceView" }),
  );
}

/**
 * Starts a virtual machine and waits until it runs.
 * @throws CloudError InvalidParameter, NotFound; errors of Azure
 */
export async function startVm(context: ActionContext, vmName: string): Promise<void> {
  const call = context.azure.call(context.signal);
  await onVm(context, vmName, ({ virtualMachines }, group) =>
    virtualMachines.start(group, vmName, call).pollUntilDone(call),
  );
}

/**
 * Powers off a virtual machine, deallocates it if `deallocate` is true, and waits for completion.
 * @throws CloudError InvalidParameter, NotFound; errors of Azure
 */
export async function stopVm(context: ActionContext, vmName: string, deallocate: boolean): Promise<void> {
  const call = context.azure.call(context.signal);
  await onVm(context, vmName, async ({ virtualMachines }, group) => {
    await virtualMachines.powerOff(group, vmName, call).pollUntilDone(call);
    if (deallocate) await virtualMachines.deallocate(group, vmName, call).pollUntilDone(call);
  });
}

/**
 * Resizes a virtual machine and waits until the resize is complete.
 * @throws CloudError InvalidParameter, NotFound; errors of Azure
 */
export async function resizeVm(context: ActionContext, vmName: string, vmSize: string): Promise<void> {
  const call = context.azure.call(context.signal);
  await onVm(context, vmName, ({ virtualMachines }, group) =>
    virtualMachines.update(group, vmName, { hardwareProfile: { vmSize } }, call).pollUntilDone(call),
  );
}

/** Checks the name of a virtual machine and calls Azure for this machine. */
export async function onVm<T>(
  { azure, document }: ActionContext,
  vmName: string,
  ask: (compute: AzureClients["compute"], group: string) => Promise<T>,
): Promise<T> {
  checkVmName(vmName);
  return named(document, `VirtualMachine '${vmName}'`, () => ask(azure.compute, managedGroupOf(document)));
}
