import { type ClusterDocument, type Subscription, usesWorkloadIdentity } from "@keelson/model";

/** What is known of a cluster, as texts by name. Names: Azure/ARO-RP docs/mimo. `domain` is the service's own. */
export function selectorsOf(
  { key, partitionKey, bucket, openShiftCluster }: ClusterDocument,
  subscription: Subscription | undefined,
  domain: string,
): Readonly<Record<string, string>> {
  const { properties } = openShiftCluster;
  const name = properties.clusterProfile.domain;
  return {
    resourceID: key,
    bucketID: `${bucket}`,
    subscriptionID: partitionKey,
    subscriptionState: subscription?.state ?? "",
    authenticationType: usesWorkloadIdentity(openShiftCluster) ? "WorkloadIdentity" : "ServicePrincipal",
    architectureVersion: `${properties.architectureVersion}`,
    provisioningState: properties.provisioningState,
    outboundType: properties.networkProfile.outboundType ?? "",
    APIServerVisibility: properties.apiserverProfile.visibility,
    isManagedDomain: `${!name.includes(".") || name.endsWith(`.${domain}`)}`,
  };
}
