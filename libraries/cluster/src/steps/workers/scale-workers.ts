import { resources } from "@keelson/kube";
import { distribute, firstWorkerProfile, type OpenShiftCluster, withProperties } from "@keelson/model";
import type { ClusterContext } from "../../context/context.ts";
import { machineNamespace, replicasOf, workerMachineSets } from "../../live/worker-profiles.ts";
import { failOnQuota, hasFailed, isComplete, wantedWorkers, workersOf } from "./worker-machines.ts";

/** Stored instead of the number of workers during a scaling. */
const scaling = 0;

/**
 * Distributes a newly requested number of workers among the MachineSets of the workers. Without a new request the
 * MachineSets stay as their administrators set them.
 */
export async function scaleWorkers(context: ClusterContext): Promise<void> {
  const wanted = firstWorkerProfile(context.cluster).count;
  if (scaledWorkerCount(context.cluster) === wanted) return;
  // After an interrupted scaling, any requested number counts as new.
  await context.update((cluster) => withProperties(cluster, { scaledWorkerCount: scaling }));
  const sets = await workerMachineSets(context.kube(), context.signal);
  const shares = distribute(wanted, Math.max(1, sets.length));
  const current = sets.reduce((sum, set) => sum + replicasOf(set), 0);
  // A sum that is right stays distributed as the administrators did it.
  if (current === wanted) return;
  for (const [index, set] of sets.entries()) {
    const replicas = shares[index] ?? 0;
    if (replicasOf(set) === replicas) continue;
    const key = { namespace: machineNamespace, name: set.metadata.name };
    await context.kube().mergePatch(resources.machineSets, key, { spec: { replicas } }, context.signal);
  }
}

/** True if a scaling has ended, or there was none. @throws CloudError QuotaExceeded */
export async function scalingEnded(context: ClusterContext): Promise<boolean> {
  if (scaledWorkerCount(context.cluster) === firstWorkerProfile(context.cluster).count) return true;
  const wanted = await wantedWorkers(context);
  const workers = await workersOf(context);
  // Failed machines above the wanted number are going to be removed.
  if (workers.machines.filter((each) => !hasFailed(each)).length < wanted) failOnQuota(workers.machines);
  return isComplete(wanted, workers);
}

/** The number of workers that the service last set; before any scaling, that of the creation. */
export function scaledWorkerCount({ properties }: OpenShiftCluster): number {
  const made = (properties.workerProfilesStatus ?? []).reduce((sum, { count }) => sum + count, 0);
  return properties.scaledWorkerCount ?? made;
}
