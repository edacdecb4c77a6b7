import { type KubeObject, type KubeResource, type ObjectKey, resources } from "@keelson/kube";
import type { ClusterSpec, ClusterStatus } from "./schemas/cluster-schema.ts";

/** The singleton object `cluster` of clusters.aro.openshift.io/v1alpha1. */
export interface AroCluster extends KubeObject {
  readonly spec?: ClusterSpec;
  readonly status?: ClusterStatus;
}

export const clusters: KubeResource<AroCluster> = resources.aroClusters;

/** Name of the only Cluster object and of the only PreviewFeature object. */
export const singleton: ObjectKey = { name: "cluster" };
