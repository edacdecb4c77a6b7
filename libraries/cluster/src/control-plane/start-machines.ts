import { unlessGone } from "@keelson/azure";
import { managedGroupOf } from "@keelson/model";
import type { ClusterContext } from "../context/context.ts";

/** Starts stopped machines concurrently, because each start takes a minute or more. */
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
