/** The resource provider's namespace and type, in the case in which they are published. */
export const providerNamespace = "Microsoft.RedHatOpenShift";
export const clusterType = "openShiftClusters";
export const clusterResourceType = `${providerNamespace}/${clusterType}`;

/** The ID of a cluster, in the caller's case. */
export function clusterId(subscriptionId: string, resourceGroup: string, name: string): string {
  return `/subscriptions/${subscriptionId}/resourceGroups/${resourceGroup}/providers/${clusterResourceType}/${name}`;
}
