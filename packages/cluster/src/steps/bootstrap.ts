import type { ClusterContext } from "../context.ts";
import { azureNames } from "../names.ts";
import { infraIdOf, managedGroupOf } from "./cluster-facts.ts";
import { installStateOf } from "./install-state.ts";
import { unlessGone } from "./removal.ts";

export async function createMachines(context: ClusterContext): Promise<void> {
  await context.environment.installer.createMachines(context, installStateOf(context.cluster));
}

export function bootstrapComplete(context: ClusterContext): Promise<boolean> {
  return context.environment.installer.bootstrapComplete(context);
}

/** The installer has done its part: what it kept only for that goes. */
export async function finishInstaller(context: ClusterContext): Promise<void> {
  await context.environment.installer.finish(context);
}

/** Takes away what the installer keeps of a cluster outside of Azure. */
export async function forgetInstallation(context: ClusterContext): Promise<void> {
  await context.environment.installer.forget(context);
}

/** Removes the machine that only the bootstrap needed, and then what it used. */
export async function removeBootstrap({ cluster, azure, signal }: ClusterContext): Promise<void> {
  const group = managedGroupOf(cluster);
  const names = azureNames(infraIdOf(cluster));
  const options = azure.call(signal);
  await unlessGone(() => azure.compute.virtualMachines.delete(group, names.bootstrapVm, options));
  await unlessGone(() => azure.compute.disks.delete(group, names.bootstrapDisk, options));
  await unlessGone(() => azure.network.networkInterfaces.delete(group, names.bootstrapNic, options));
}

/** Starts the machines that someone has stopped. */
export async function startVMs({ cluster, azure, signal }: ClusterContext): Promise<void> {
  const group = managedGroupOf(cluster);
  const machines = azure.compute.virtualMachines.list(group, azure.call(signal));
  for await (const { name } of machines) {
    if (!name) continue;
    const view = await azure.compute.virtualMachines.instanceView(group, name, azure.call(signal));
    const stopped = view.statuses?.some(({ code }) =>
      ["PowerState/deallocated", "PowerState/stopped"].includes(code ?? ""),
    );
    if (stopped) await azure.compute.virtualMachines.start(group, name, azure.call(signal));
  }
}
