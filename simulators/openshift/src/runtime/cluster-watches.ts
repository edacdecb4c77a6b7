import { aborted } from "@keelson/base";
import { type SourceWatch, watchSource } from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import type { Fault } from "../faults/fault.ts";
import type { VirtualMachine } from "../hypervisor/virtual-machine.ts";
import type { Cluster } from "./cluster.ts";

/** Watches the cluster's virtual machines. Reports all existing machines first, then every added, changed or deleted machine. */
export function watchMachines(keys: (machine: VirtualMachine) => Iterable<ObjectKey>): SourceWatch<Cluster> {
  return watchSource(async (add, { machines }, signal) => {
    const observe = (machine: VirtualMachine) => {
      for (const key of keys(machine)) add(key);
    };
    for (const machine of machines.list()) observe(machine);
    await following(machines.onChange(observe), signal);
  });
}

/** Watches the start and end of the cluster's faults. */
export function watchFaults(
  keys: (fault: Fault, cluster: Cluster) => Iterable<ObjectKey>,
): SourceWatch<Cluster> {
  return watchSource(async (add, cluster, signal) => {
    const observe = (fault: Fault) => {
      for (const key of keys(fault, cluster)) add(key);
    };
    await following(cluster.faults.onChange(observe), signal);
  });
}

/** Watches changes of the available releases. */
export function watchUpdates(key: ObjectKey): SourceWatch<Cluster> {
  return watchSource(async (add, { updates }, signal) => {
    await following(
      updates.onChange(() => add(key)),
      signal,
    );
  });
}

/** Watches failures to apply release manifests. */
export function watchPayload(key: ObjectKey): SourceWatch<Cluster> {
  return watchSource(async (add, { payload }, signal) => {
    await following(
      payload.onFailures(() => add(key)),
      signal,
    );
  });
}

async function following(stop: () => void, signal: AbortSignal): Promise<void> {
  await aborted(signal);
  stop();
}
