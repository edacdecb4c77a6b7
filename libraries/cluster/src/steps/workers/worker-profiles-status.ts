import { firstWorkerProfile, withProperties } from "@keelson/model";
import type { ClusterContext } from "../../context.ts";
import { workerMachineSets, workerProfileOf } from "../../live/worker-profiles.ts";

/** Stores one worker profile for each MachineSet, and that the requested number has been set. */
export async function updateWorkerProfilesStatus(context: ClusterContext): Promise<void> {
  const sets = await workerMachineSets(context.kube(), context.signal);
  const workerProfilesStatus = sets.map((set) => workerProfileOf(context.cluster, set));
  await context.update((cluster) => {
    const scaledWorkerCount = firstWorkerProfile(cluster).count;
    return withProperties(cluster, { workerProfilesStatus, scaledWorkerCount });
  });
}
