import { type ResourceKey, resourceKey } from "@keelson/arm";
import { type OpenShiftCluster, usesWorkloadIdentity } from "./open-shift-cluster.ts";

/** The values by which a cluster's document is found and which no two clusters may share; all lower case. */
export interface ClusterKeys {
  readonly key: ResourceKey;
  readonly clusterResourceGroupIdKey: string;
  /** The service principal's client ID, or the resource ID of the cluster's managed identity. */
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
