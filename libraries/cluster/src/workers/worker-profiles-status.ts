import { firstWorkerProfile, type WorkerProfile, withProperties } from "@keelson/model";
import type { ClusterContext } from "../context/context.ts";
import { workerMachineSets, workerProfileOf } from "../live/worker-profiles.ts";
import { scaledWorkerCount } from "./scale-workers.ts";

/**
 * Stores one worker profile for each MachineSet. Also stores the requested number of workers as the number that the service last
 * set.
 */
export async function updateWorkerProfilesStatus(context: ClusterContext): Promise<void> {
  const workerProfilesStatus = await liveStatus(context);
  await context.update((cluster) => {
    const scaledWorkerCount = firstWorkerProfile(cluster).count;
    return withProperties(cluster, { workerProfilesStatus, scaledWorkerCount });
  });
}

/**
 * Replaces the stored worker profiles by profiles of the existing MachineSets. The number of workers that the service last set is
 * not changed, so that a pending request for a new number remains pending.
 */
export async function rewriteWorkerProfilesStatus(context: ClusterContext): Promise<void> {
  const workerProfilesStatus = await liveStatus(context);
  await context.update((cluster) =>
    withProperties(cluster, { workerProfilesStatus, scaledWorkerCount: scaledWorkerCount(cluster) }),
  );
}

async function liveStatus({ kube, cluster, signal }: ClusterContext): Promise<readonly WorkerProfile[]> {
  return (await workerMachineSets(kube(), signal)).map((set) => workerProfileOf(cluster, set));
}
