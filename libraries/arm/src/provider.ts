/** Namespace and type of the resource provider, in the letter case that Azure publishes. */
export const providerNamespace = "Microsoft.RedHatOpenShift";
export const clusterType = "openShiftClusters";
export const clusterResourceType = `${providerNamespace}/${clusterType}`;

/** Returns the ID of a cluster. The names keep the caller's letter case. */
export function clusterId(subscriptionId: string, resourceGroup: string, name: string): string {
  return `/subscriptions/${subscriptionId}/resourceGroups/${resourceGroup}/providers/${clusterResourceType}/${name}`;
}
