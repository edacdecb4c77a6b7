import type { AroCluster } from "@keelson/aro-api";
import type { ClusterSubnet } from "../../azure/cluster-subnets.ts";

/**
 * Returns the ID of the security group that the service requires for a subnet.
 * @throws Error if the Cluster lacks a required field
 */
export function securityGroupId({ spec = {} }: AroCluster, { role }: Pick<ClusterSubnet, "role">): string {
  const { clusterResourceGroupId: group, infraId, architectureVersion = 0 } = spec;
  if (!/^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+$/i.test(group ?? ""))
    throw new Error(
      `spec.clusterResourceGroupId of the Cluster is '${group ?? ""}', not the ID of a resource group`,
    );
  if (!infraId) throw new Error("spec.infraId of the Cluster is empty");
  const prefix = `${group}/providers/Microsoft.Network/networkSecurityGroups/${infraId}`;
  if (architectureVersion === 0) return `${prefix}-${role === "master" ? "controlplane" : "node"}-nsg`;
  if (architectureVersion === 1) return `${prefix}-nsg`;
  throw new Error(`unknown architecture version ${architectureVersion}`);
}
