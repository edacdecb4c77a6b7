import { CloudError, sameResource } from "@keelson/arm";
import { parseIpv4Range } from "@keelson/base";
import { networkSecurityGroupId, type OpenShiftCluster } from "@keelson/model";
import { prefixesOf } from "../network/subnet-ranges.ts";
import { invalidSubnet, type LinkedSubnet } from "./linked-network.ts";
import { requireRights, type Subject } from "./subject.ts";

const largestPrefixLength = 27;

/** Checks that the subnets are large enough for the cluster's machines, and that their network security groups are valid. */
export function checkSubnets(cluster: OpenShiftCluster, subnets: readonly LinkedSubnet[]): void {
  if (cluster.properties.provisioningState === "Creating") checkGroupsBrought(cluster, subnets);
  for (const linked of subnets) {
    checkGroup(cluster, linked);
    const { id, path, subnet } = linked;
    if (subnet.provisioningState !== "Succeeded") {
      throw invalidSubnet(path, `The provided subnet '${id}' is not in a Succeeded state`);
    }
    if (
      prefixesOf(subnet).some((prefix) => (parseIpv4Range(prefix)?.prefixLength ?? 32) > largestPrefixLength)
    ) {
      throw invalidSubnet(path, `The provided subnet '${id}' is invalid: must be /27 or larger.`);
    }
  }
}

/** Checks a subject's permissions on the customer's network security groups. */
export async function validatePreconfiguredGroups(
  subject: Subject,
  cluster: OpenShiftCluster,
  subnets: readonly LinkedSubnet[],
  signal: AbortSignal,
): Promise<void> {
  if (!bringsGroups(cluster)) return;
  for (const { subnet } of subnets) {
    const id = subnet.networkSecurityGroup?.id;
    if (id) await requireRights(subject, "networkSecurityGroup", id, { signal });
  }
}

function bringsGroups({ properties }: OpenShiftCluster): boolean {
  return properties.networkProfile.preconfiguredNSG === "Enabled";
}

function checkGroupsBrought(cluster: OpenShiftCluster, subnets: readonly LinkedSubnet[]): void {
  if (!bringsGroups(cluster) || subnets.every(({ subnet }) => subnet.networkSecurityGroup)) return;
  throw new CloudError(
    "InvalidLinkedVNet",
    "When the enable-preconfigured-nsg option is specified, both the master and worker subnets should have network security groups (NSG) attached to them before starting the cluster installation.",
  );
}

function checkGroup(cluster: OpenShiftCluster, { id, path, subnet }: LinkedSubnet): void {
  const brought = bringsGroups(cluster);
  const ownGroup = cluster.properties.infraId ? networkSecurityGroupId(cluster) : undefined;
  const groupId = subnet.networkSecurityGroup?.id;
  const isOwn = groupId !== undefined && ownGroup !== undefined && sameResource(groupId, ownGroup);
  const subject = `The provided subnet '${id}' is invalid`;
  if (cluster.properties.provisioningState === "Creating") {
    if (groupId === undefined || brought || isOwn) return;
    throw invalidSubnet(path, `${subject}: must not have a network security group attached.`);
  }
  if (brought ? groupId !== undefined : isOwn) return;
  const which = brought ? "a network security group" : `network security group '${ownGroup}'`;
  throw invalidSubnet(path, `${subject}: must have ${which} attached.`);
}
