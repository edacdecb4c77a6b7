import { resourceKey, sameResource } from "@keelson/arm";
import type { AroCluster } from "@keelson/aro-api";
import type { JsonObject } from "@keelson/base";
import { listAt, stringAt } from "@keelson/base";

/**
 * Relation of a subnet to the cluster: its document names it, a network interface of the cluster uses it, or neither.
 * A MachineSet alone proves nothing: its creator can name any subnet that the cluster's identity can change.
 */
export type SubnetOwnership = "document" | "machines" | "none";

/** Returns the ownership of a subnet. `live` is its body from Azure. */
export function subnetOwnership(cluster: AroCluster, id: string, live: JsonObject): SubnetOwnership {
  if (cluster.spec?.clusterSubnets?.some((each) => sameResource(each, id))) return "document";
  const isUsed = listAt(live, "properties", "ipConfigurations").some((each) =>
    isInManagedGroup(cluster, stringAt(each, "id") ?? ""),
  );
  return isUsed ? "machines" : "none";
}

/** True if a resource is in the resource group that the service manages for the cluster. */
export function isInManagedGroup({ spec = {} }: AroCluster, id: string): boolean {
  const group = spec.clusterResourceGroupId;
  return group ? resourceKey(id).startsWith(`${resourceKey(group)}/`) : false;
}
