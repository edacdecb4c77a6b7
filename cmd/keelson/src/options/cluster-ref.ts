/** Name and resource group of a cluster in the instance's subscription. */
export interface ClusterRef {
  readonly name: string;
  readonly resourceGroup: string;
}

/** Returns the cluster `name` in the resource group of the same name. */
export function clusterNamed(name: string): ClusterRef {
  return { name, resourceGroup: name };
}
