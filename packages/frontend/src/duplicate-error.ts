import { CloudError } from "@keelson/arm";
import { type ClusterDocument, type ServiceDatabase, usesWorkloadIdentity } from "@keelson/model";

/**
 * The error for a cluster whose unique `key` another one has. The client ID is named before the resource
 * group when both are taken, whichever the database met first. `undefined` when the other cluster is this
 * very one, created by a request at the same time.
 */
export async function duplicateError(
  key: string,
  document: ClusterDocument,
  database: ServiceDatabase,
  signal: AbortSignal,
): Promise<CloudError | undefined> {
  if (key === "key") return undefined;
  const { clientIdKey, openShiftCluster } = document;
  const { clusterProfile, servicePrincipalProfile } = openShiftCluster.properties;
  const holder = await database.collections.clusters.findBy(undefined, "clientIdKey", clientIdKey, signal);
  if (holder ? holder.document.id !== document.id : key === "clientIdKey") {
    const identity = usesWorkloadIdentity(openShiftCluster)
      ? `user assigned identity '${clientIdKey}'`
      : `service principal with client ID '${servicePrincipalProfile?.clientId ?? clientIdKey}'`;
    return new CloudError("DuplicateClientID", `The provided ${identity} is already in use by a cluster.`);
  }
  return new CloudError(
    "DuplicateResourceGroup",
    `The provided resource group '${clusterProfile.resourceGroupId}' already contains a cluster.`,
  );
}
