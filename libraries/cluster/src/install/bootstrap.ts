import { unlessGone } from "@keelson/azure";
import { azureNames, infraIdOf, managedGroupOf } from "@keelson/model";
import type { ClusterContext } from "../context/context.ts";
import { installContext, installerOf } from "./install-context.ts";
import { installStateOf } from "./install-state.ts";

export async function createMachines(context: ClusterContext): Promise<void> {
  await installerOf(context).createMachines(installContext(context), installStateOf(context.cluster));
}

export function bootstrapComplete(context: ClusterContext): Promise<boolean> {
  return installerOf(context).bootstrapComplete(installContext(context));
}

/** Removes data that the installer needs only during the install. */
export async function finishInstaller(context: ClusterContext): Promise<void> {
  await installerOf(context).finish(installContext(context));
}

/** Removes the data that the installer keeps about a cluster. The cluster's resources in Azure are not affected. */
export async function forgetInstallation(context: ClusterContext): Promise<void> {
  await installerOf(context).forget(installContext(context));
}

/** Deletes the bootstrap machine, then its disk and network interface. */
export async function removeBootstrap({ cluster, azure, signal }: ClusterContext): Promise<void> {
  const group = managedGroupOf(cluster);
  const names = azureNames(infraIdOf(cluster));
  const options = azure.call(signal);
  await unlessGone(() => azure.compute.virtualMachines.delete(group, names.bootstrapVm, options));
  await unlessGone(() => azure.compute.disks.delete(group, names.bootstrapDisk, options));
  await unlessGone(() => azure.network.networkInterfaces.delete(group, names.bootstrapNic, options));
}
