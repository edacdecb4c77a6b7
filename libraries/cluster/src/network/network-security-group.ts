import { type OpenShiftCluster, regionOf } from "@keelson/model";
import type { NetworkSecurityGroup } from "../context/azure-models.ts";

/**
 * Returns the network security group of the cluster's subnets. If the API server is public, the group allows connections to it.
 */
export function networkSecurityGroup(cluster: OpenShiftCluster): NetworkSecurityGroup {
  const isPublic = cluster.properties.apiserverProfile.visibility === "Public";
  return { location: regionOf(cluster), ...(isPublic ? { securityRules: [apiServerRule] } : {}) };
}

const apiServerRule = {
  name: "apiserver_in",
  protocol: "Tcp",
  sourcePortRange: "*",
  destinationPortRange: "6443",
  sourceAddressPrefix: "*",
  destinationAddressPrefix: "*",
  access: "Allow",
  priority: 120,
  direction: "Inbound",
} as const;
