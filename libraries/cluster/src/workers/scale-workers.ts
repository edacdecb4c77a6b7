import { resources } from "@keelson/kube";
import { distribute, firstWorkerProfile, type OpenShiftCluster, withProperties } from "@keelson/model";
import type { ClusterContext } from "../context/context.ts";
import { machineNamespace, replicasOf, workerMachineSets } from "../live/worker-profiles.ts";
import { failOnQuota, hasFailed, isComplete, wantedWorkers, workersOf } from "./worker-machines.ts";

/** Marker value that is stored instead of the number of workers while the service scales the workers. */
const scaling = 0;

/**
 * Distributes a newly requested number of workers among the worker MachineSets. Without a new request, does not change the
 * replica counts that administrators have set.
 */
export async function scaleWorkers(context: ClusterContext): Promise<void> {
  const wanted = firstWorkerProfile(context.cluster).count;
  if (scaledWorkerCount(context.cluster) === wanted) return;
  // The marker is stored before the scaling. If this update is interrupted, the next update finds the marker and scales again.
  await context.update((cluster) => withProperties(cluster, { scaledWorkerCount: scaling }));
  const sets = await workerMachineSets(context.kube(), context.signal);
  const shares = distribute(wanted, Math.max(1, sets.length));
  const current = sets.reduce((sum, set) => sum + replicasOf(set), 0);
  // The total number of workers is already correct, so the administrators' distribution among the MachineSets is not changed.
  if (current === wanted) return;
  for (const [index, set] of sets.entries()) {
    const replicas = shares[index] ?? 0;
    if (replicasOf(set) === replicas) continue;
    const key = { namespace: machineNamespace, name: set.metadata.name };
    await context.kube().mergePatch(resources.machineSets, key, { spec: { replicas } }, context.signal);
  }
}

/**
 * True if the scaling is complete, or no scaling was requested.
 * @throws CloudError QuotaExceeded
 */
export async function scalingEnded(context: ClusterContext): Promise<boolean> {
  if (scaledWorkerCount(context.cluster) === firstWorkerProfile(context.cluster).count) return true;
  const wanted = await wantedWorkers(context);
  const workers = await workersOf(context);
  // Failed machines are tolerated if the remaining machines suffice, because the scaling removes surplus machines.
  if (workers.machines.filter((each) => !hasFailed(each)).length < wanted) failOnQuota(workers.machines);
  return isComplete(wanted, workers);
}

/**
 * Returns the number of workers that the service last set. Before the first scaling, this is the number at the cluster's
 * creation.
 */
export function scaledWorkerCount({ properties }: OpenShiftCluster): number {
  const made = (properties.workerProfilesStatus ?? []).reduce((sum, { count }) => sum + count, 0);
  return properties.scaledWorkerCount ?? made;
}
