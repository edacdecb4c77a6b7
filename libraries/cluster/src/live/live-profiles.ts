import { stringAt } from "@keelson/base";
import { type KubeClient, objectFields, resources } from "@keelson/kube";
import type { IngressProfile, OpenShiftCluster, WorkerProfile } from "@keelson/model";
import { readIngressProfiles } from "./ingress-profiles.ts";
import { machineSets, workerProfileOf } from "./worker-profiles.ts";

/** Values that a cluster's administrators can change in the cluster. */
export interface LiveProfiles {
  readonly version?: string;
  readonly ingressProfiles?: readonly IngressProfile[];
  readonly workerProfilesStatus?: readonly WorkerProfile[];
}

/** Reads the live profiles. A profile that cannot be read is omitted. Rejects if all reads fail. */
export async function readLiveProfiles(
  kube: Pick<KubeClient, "list" | "find">,
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

/**
 * Matches versions of OpenShift releases, including nightly builds. Strings that do not match are neither stored nor returned.
 */
const versionText = /^\d{1,4}\.\d{1,6}\.\d{1,6}(?:[-+][\w.+-]{1,100})?$/;

const versionFields = objectFields({ status: { desired: { version: true } } });

async function readVersion(
  kube: Pick<KubeClient, "list" | "find">,
  signal: AbortSignal,
): Promise<string | undefined> {
  const version = await kube.find(resources.clusterVersions, { name: "version" }, signal, versionFields);
  const text = stringAt(version, "status", "desired", "version");
  return text !== undefined && versionText.test(text) ? text : undefined;
}

/** Returns the cluster with the live profiles that could be read. All other profiles keep their stored values. */
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
