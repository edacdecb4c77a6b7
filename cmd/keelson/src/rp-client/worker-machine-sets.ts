import { type JsonObject, numberAt, objectAt, stringAt } from "@keelson/base";
import type { AdminObjects } from "./admin-objects.ts";

const roleLabel = "machine.openshift.io/cluster-api-machine-role";

/** Returns the MachineSets of a cluster's workers, by name. @throws RequestFailed */
export async function workerMachineSets(
  objects: AdminObjects,
  signal: AbortSignal,
): Promise<readonly JsonObject[]> {
  const sets = await objects.list("MachineSet.machine.openshift.io", "openshift-machine-api", signal);
  return sets
    .filter((each) => stringAt(each, "spec", "template", "metadata", "labels", roleLabel) === "worker")
    .sort((a, b) => nameOf(a).localeCompare(nameOf(b)));
}

export function nameOf(machineSet: JsonObject): string {
  return stringAt(machineSet, "metadata", "name") ?? "";
}

/**
 * Spreads `workerCount` workers evenly over the MachineSets. Returns only the sets with a changed number of
 * replicas.
 */
export function scaledMachineSets(
  machineSets: readonly JsonObject[],
  workerCount: number,
): readonly JsonObject[] {
  const each = Math.floor(workerCount / machineSets.length);
  const rest = workerCount % machineSets.length;
  return machineSets.flatMap((set, index) => {
    const replicas = each + (index < rest ? 1 : 0);
    if (numberAt(set, "spec", "replicas") === replicas) return [];
    return [{ ...set, spec: { ...objectAt(set, "spec"), replicas } }];
  });
}

/** Returns the number of ready workers, and the number of workers that exist. */
export function workersOf(machineSets: readonly JsonObject[]): {
  readonly ready: number;
  readonly existing: number;
} {
  const sum = (field: string) =>
    machineSets.reduce((total, set) => total + (numberAt(set, "status", field) ?? 0), 0);
  return { ready: sum("readyReplicas"), existing: sum("replicas") };
}
