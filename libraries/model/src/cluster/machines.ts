import type { OpenShiftCluster, WorkerProfile } from "./open-shift-cluster.ts";

export const controlPlaneReplicas = 3;

export function firstWorkerProfile(cluster: OpenShiftCluster): WorkerProfile {
  const [profile] = cluster.properties.workerProfiles;
  if (!profile) throw new Error("the cluster has no worker profile");
  return profile;
}

/**
 * Returns the existing workers, with the paths of their fields. Returns the requested workers if the installation has not ended
 * yet.
 */
export function presentWorkers({
  properties: { workerProfiles, workerProfilesStatus = [] },
}: OpenShiftCluster): readonly { readonly path: string; readonly profile: WorkerProfile }[] {
  const [member, profiles] =
    workerProfilesStatus.length > 0
      ? ["workerProfilesStatus", workerProfilesStatus]
      : ["workerProfiles", workerProfiles];
  return profiles.map((profile, index) => ({ path: `properties.${member}[${index}]`, profile }));
}

/**
 * Divides `total` workers among MachineSets as evenly as possible. The first MachineSets get the remainder. Example: 5 among 3 is
 * 2, 2, 1.
 */
export function distribute(total: number, among: number): readonly number[] {
  return Array.from(
    { length: among },
    (_, index) => Math.floor(total / among) + (index < total % among ? 1 : 0),
  );
}
