import { CloudError } from "@keelson/arm";
import {
  type ClusterDocument,
  type OpenShiftCluster,
  type ServiceDatabase,
  usesWorkloadIdentity,
} from "@keelson/model";

/**
 * Rejects a cluster if an existing cluster has the same client ID or managed resource group. If both are in use, the client ID is
 * reported.
 * @throws CloudError DuplicateClientID, DuplicateResourceGroup
 */
export async function refuseDuplicates(
  { key, clientIdKey, clusterResourceGroupIdKey, openShiftCluster }: ClusterDocument,
  database: ServiceDatabase,
  signal: AbortSignal,
): Promise<void> {
  const { clusters } = database.collections;
  const [sameClient, sameGroup] = await Promise.all([
    clusters.findBy(undefined, "clientIdKey", clientIdKey, signal),
    clusters.findBy(undefined, "clusterResourceGroupIdKey", clusterResourceGroupIdKey, signal),
  ]);
  const { clusterProfile, servicePrincipalProfile } = openShiftCluster.properties;
  if (sameClient && sameClient.document.key !== key) {
    const [identityId = clientIdKey] = identityIdsOf(openShiftCluster);
    const identity = usesWorkloadIdentity(openShiftCluster)
      ? `user assigned identity '${identityId}'`
      : `service principal with client ID '${servicePrincipalProfile?.clientId ?? clientIdKey}'`;
    throw new CloudError("DuplicateClientID", `The provided ${identity} is already in use by a cluster.`);
  }
  if (sameGroup && sameGroup.document.key !== key) {
    throw new CloudError(
      "DuplicateResourceGroup",
      `The provided resource group '${clusterProfile.resourceGroupId}' already contains a cluster.`,
    );
  }
}

/** Returns the identity IDs in the caller's spelling. */
function identityIdsOf({ managedServiceIdentity }: OpenShiftCluster): readonly string[] {
  return Object.keys(managedServiceIdentity?.userAssignedIdentities ?? {});
}
