import { azureNames, infraIdOf, managedGroupOf } from "@keelson/model";
import type { ClusterContext } from "../context.ts";
import { installContext } from "../install-context.ts";
import { installStateOf } from "./install-state.ts";
import { unlessGone } from "./removal.ts";

export async function createMachines(context: ClusterContext): Promise<void> {
  await context.environment.installer.createMachines(
    installContext(context),
    installStateOf(context.cluster),
  );
}

export function bootstrapComplete(context: ClusterContext): Promise<boolean> {
  return context.environment.installer.bootstrapComplete(installContext(context));
}

/** The installer has done its part: what it kept only for that goes. */
export async function finishInstaller(context: ClusterContext): Promise<void> {
  await context.environment.installer.finish(installContext(context));
}

/** Takes away what the installer keeps of a cluster outside of Azure. */
export async function forgetInstallation(context: ClusterContext): Promise<void> {
  await context.environment.installer.forget(installContext(context));
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

/** Starts the machines that someone has stopped, all at once: each takes a minute or more. */
export async function startVMs({ cluster, azure, signal }: ClusterContext): Promise<void> {
  const group = managedGroupOf(cluster);
  const { virtualMachines } = azure.compute;
  const machines = await Array.fromAsync(virtualMachines.list(group, azure.call(signal)));
  await Promise.all(
    machines.map(async ({ name = "" }) => {
      const view = await unlessGone(() => virtualMachines.instanceView(group, name, azure.call(signal)));
      const isStopped = view?.statuses?.some(({ code = "" }) => stoppedStates.includes(code));
      if (isStopped) await unlessGone(() => virtualMachines.start(group, name, azure.call(signal)));
    }),
  );
}

const stoppedStates = ["PowerState/deallocated", "PowerState/stopped"];
