import { numberAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";

const minimumWorkers = 2;

export interface Scaling {
  readonly machineSet: KubeObject;
  readonly replicas: number;
}

/** Returns `spec.replicas`. If it is unset, returns the API's default of one. */
function replicasOf(machineSet: KubeObject): number {
  return numberAt(machineSet, "spec", "replicas") ?? 1;
}

/**
 * Returns the worker MachineSet to scale up if there are fewer than two workers. This is the MachineSet that was scaled down, or
 * the first MachineSet by name if no MachineSet was scaled down. The result is `undefined` if there are enough workers, or if the
 * customer has added a worker MachineSet.
 */
export function scalingOf(
  workers: readonly KubeObject[],
  infraId: string,
  shrunk: string | undefined,
): Scaling | undefined {
  if (workers.some(({ metadata }) => !metadata.name.includes(infraId))) return undefined;
  const sum = workers.reduce((replicas, each) => replicas + replicasOf(each), 0);
  if (sum >= minimumWorkers) return undefined;
  const sorted = workers.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  const machineSet = sorted.find(({ metadata }) => metadata.name === shrunk) ?? sorted[0];
  return machineSet && { machineSet, replicas: replicasOf(machineSet) + minimumWorkers - sum };
}
