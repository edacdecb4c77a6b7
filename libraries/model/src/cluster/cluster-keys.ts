import { type ResourceKey, resourceKey } from "@keelson/arm";
import { type OpenShiftCluster, usesWorkloadIdentity } from "./open-shift-cluster.ts";

/** Unique keys of a cluster's document, in lower case. Two clusters never share a key. */
export interface ClusterKeys {
  readonly key: ResourceKey;
  readonly clusterResourceGroupIdKey: string;
  /** Client ID of the service principal, or resource ID of the cluster's managed identity. */
  readonly clientIdKey: string;
}

export function clusterKeys(cluster: OpenShiftCluster): ClusterKeys {
  const { clusterProfile, servicePrincipalProfile } = cluster.properties;
  const clientId = usesWorkloadIdentity(cluster)
    ? Object.keys(cluster.managedServiceIdentity?.userAssignedIdentities ?? {})[0]
    : servicePrincipalProfile?.clientId;
  return {
    key: resourceKey(cluster.id),
    clusterResourceGroupIdKey: clusterProfile.resourceGroupId.toLowerCase(),
    clientIdKey: (clientId ?? "").toLowerCase(),
  };
}
