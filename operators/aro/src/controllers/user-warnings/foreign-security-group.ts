import { resourceNameOf, sameResource } from "@keelson/arm";
import type { Warning } from "./warning.ts";

export interface SubnetGroup {
  readonly subnetId: string;
  /** ID of the current security group. Undefined if the subnet has none. */
  readonly groupId: string | undefined;
  /** ID of the required security group. */
  readonly wantedId: string;
}

const maxSubnets = 3;

/** Returns the subnets with a security group that differs from the required one. */
export function withForeignGroup(subnets: readonly SubnetGroup[]): readonly SubnetGroup[] {
  return subnets.filter(({ groupId, wantedId }) => groupId !== undefined && !sameResource(groupId, wantedId));
}

export function foreignSecurityGroup(subnets: readonly SubnetGroup[]): Warning | undefined {
  const foreign = withForeignGroup(subnets);
  if (foreign.length === 0) return undefined;
  const pairs = foreign
    .map(({ subnetId, groupId = "" }) => `${resourceNameOf(subnetId)} (${resourceNameOf(groupId)})`)
    .toSorted();
  const more = pairs.length > maxSubnets ? ` and ${pairs.length - maxSubnets} more` : "";
  return {
    name: "aro-sre-foreign-network-security-group",
    reason: "ForeignSecurityGroup",
    text: `Unsupported Cluster State: Subnets of the cluster have network security groups that are not the cluster's. Give them the cluster's own: ${pairs.slice(0, maxSubnets).join(", ")}${more}`,
  };
}
