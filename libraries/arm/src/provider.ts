/** Namespace and type of the resource provider, in their published case. */
export const providerNamespace = "Microsoft.RedHatOpenShift";
export const clusterType = "openShiftClusters";
export const clusterResourceType = `${providerNamespace}/${clusterType}`;

/** Returns the ID of a cluster, in the caller's case. */
export function clusterId(subscriptionId: string, resourceGroup: string, name: string): string {
  return `/subscriptions/${subscriptionId}/resourceGroups/${resourceGroup}/providers/${clusterResourceType}/${name}`;
}
