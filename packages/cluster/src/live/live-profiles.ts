import { type KubeClient, resources, textAt } from "@keelson/kube";
import type { IngressProfile, OpenShiftCluster, WorkerProfile } from "@keelson/model";
import { readIngressProfiles } from "./ingress-profiles.ts";
import { machineSets, workerProfileOf } from "./worker-profiles.ts";

/** What a cluster's own administrators change within it, as it is now. */
export interface LiveProfiles {
  readonly version?: string;
  readonly ingressProfiles?: readonly IngressProfile[];
  readonly workerProfilesStatus?: readonly WorkerProfile[];
}

/** Reads as much of it as can be had. Rejects when nothing can. */
export async function readLiveProfiles(
  kube: KubeClient,
  cluster: OpenShiftCluster,
  signal: AbortSignal,
): Promise<LiveProfiles> {
  const [version, ingressProfiles, workerProfilesStatus] = await Promise.allSettled([
    readVersion(kube, signal),
    readIngressProfiles(kube, cluster, signal),
    machineSets(kube, signal).then((sets) => sets.map((set) => workerProfileOf(cluster, set))),
  ]);
  if (version.status === "rejected" && ingressProfiles.status === "rejected") {
    if (workerProfilesStatus.status === "rejected") throw version.reason;
  }
  return {
    ...(version.status === "fulfilled" && version.value ? { version: version.value } : {}),
    ...(ingressProfiles.status === "fulfilled" && ingressProfiles.value.length > 0
      ? { ingressProfiles: ingressProfiles.value }
      : {}),
    ...(workerProfilesStatus.status === "fulfilled"
      ? { workerProfilesStatus: workerProfilesStatus.value }
      : {}),
  };
}

async function readVersion(kube: KubeClient, signal: AbortSignal): Promise<string | undefined> {
  const version = await kube.find(resources.clusterVersions, { name: "version" }, signal);
  return textAt(version, "status", "desired", "version");
}

/** The cluster as it is now, as far as that is known. */
export function withLiveProfiles(cluster: OpenShiftCluster, live: LiveProfiles): OpenShiftCluster {
  const { version, ...profiles } = live;
  const { clusterProfile } = cluster.properties;
  return {
    ...cluster,
    properties: {
      ...cluster.properties,
      ...profiles,
      ...(version === undefined ? {} : { clusterProfile: { ...clusterProfile, version } }),
    },
  };
}
