import { resourceKey, sameResource } from "@keelson/arm";
import type { AroCluster } from "@keelson/aro-api";
import type { JsonObject } from "@keelson/base";
import { listAt, stringAt } from "@keelson/base";

/**
 * Evidence that a subnet belongs to the cluster. `document`: the Cluster contains the subnet's ID. `machines`: a network
 * interface of the cluster uses the subnet. `none`: there is no evidence. A MachineSet is not evidence, because its creator can
 * enter any subnet that the cluster's identity can change.
 */
export type SubnetOwnership = "document" | "machines" | "none";

/** Returns the ownership of a subnet. `live` is the subnet's body from Azure. */
export function subnetOwnership(cluster: AroCluster, id: string, live: JsonObject): SubnetOwnership {
  if (cluster.spec?.clusterSubnets?.some((each) => sameResource(each, id))) return "document";
  const isUsed = listAt(live, "properties", "ipConfigurations").some((each) =>
    isInManagedGroup(cluster, stringAt(each, "id") ?? ""),
  );
  return isUsed ? "machines" : "none";
}

/** True if the resource is in the managed resource group of the cluster. */
export function isInManagedGroup({ spec = {} }: AroCluster, id: string): boolean {
  const group = spec.clusterResourceGroupId;
  return group ? resourceKey(id).startsWith(`${resourceKey(group)}/`) : false;
}
