import { CloudError, sameResource } from "@keelson/arm";
import { azureErrorMessage, statusOf } from "@keelson/azure";
import {
  firstWorkerProfile,
  networkSecurityGroupId,
  type OpenShiftCluster,
  withProperties,
} from "@keelson/model";
import type { ClusterContext } from "../context/context.ts";
import { clusterErrors } from "../context/errors.ts";
import { changeSubnet } from "./subnet-writes.ts";

/**
 * Attaches the cluster's network security group to the subnets of the masters and of the first worker profile. Does nothing if
 * the customer provided the groups.
 * @throws CloudError InvalidLinkedVNet if a different group was attached after the validation
 */
export async function attachNSGs(context: ClusterContext): Promise<void> {
  for (const subnetId of guardedSubnets(context.cluster)) await attachGroup(context, subnetId);
}

/**
 * Attaches the cluster's network security group to subnets that have no group. A subnet loses its group if the customer redeploys
 * a network template without the group. Refusals of Azure are only logged, because the validation reports their cause.
 */
export async function restoreNSGs(context: ClusterContext): Promise<void> {
  const { operatorFlags, infraId } = context.cluster.properties;
  if (infraId === undefined || operatorFlags?.[managedGroupsFlag] === "false") return;
  const own = networkSecurityGroupId(context.cluster);
  try {
    for (const subnetId of guardedSubnets(context.cluster))
      await changeGroupOfSubnet(context, subnetId, (current) => current ?? own);
  } catch (error) {
    const status = statusOf(error);
    if (status === undefined || status === 429 || status >= 500) throw error;
    context.logger.warn({ error: azureErrorMessage(error) }, "network security groups were not restored");
  }
}

function guardedSubnets(cluster: OpenShiftCluster): ReadonlySet<string> {
  const { networkProfile, masterProfile } = cluster.properties;
  if (networkProfile.preconfiguredNSG === "Enabled") return new Set();
  return new Set([masterProfile.subnetId, firstWorkerProfile(cluster).subnetId]);
}

async function attachGroup(context: ClusterContext, subnetId: string): Promise<void> {
  const own = networkSecurityGroupId(context.cluster);
  try {
    await changeGroupOfSubnet(context, subnetId, (current) => {
      if (current === undefined || sameResource(current, own)) return own;
      throw new CloudError(
        "InvalidLinkedVNet",
        `The provided subnet '${subnetId}' is invalid: must not have a network security group attached.`,
      );
    });
  } catch (cause) {
    if (!notYetThere.test(azureErrorMessage(cause))) throw cause;
    throw clusterErrors.ClusterNotReady("the network security group is not known everywhere yet", { cause });
  }
}

/** Matches Azure's error for a reference to a group that was created so recently that Azure does not find it yet. */
const notYetThere = /Resource.*networkSecurityGroups.*referenced by resource.*not found/i;

/**
 * Disables the operator's management of network security groups if the customer provided these groups (Azure/ARO-RP
 * pkg/cluster/nsg.go).
 */
export async function ensurePreconfiguredNSG({ update }: ClusterContext): Promise<void> {
  await update((cluster) => {
    const { networkProfile, operatorFlags } = cluster.properties;
    if (networkProfile.preconfiguredNSG !== "Enabled" || operatorFlags?.[managedGroupsFlag] === "false")
      return cluster;
    return withProperties(cluster, { operatorFlags: { ...operatorFlags, [managedGroupsFlag]: "false" } });
  });
}

const managedGroupsFlag = "aro.azuresubnets.nsg.managed";

/** Calls `change` with the current network security group of a subnet, and attaches the group that `change` returns. */
export function changeGroupOfSubnet(
  context: ClusterContext,
  subnetId: string,
  change: (currentId: string | undefined) => string | undefined,
): Promise<void> {
  return changeSubnet(context, subnetId, (subnet) => {
    const { networkSecurityGroup, ...rest } = subnet;
    const currentId = networkSecurityGroup?.id;
    const wantedId = change(currentId);
    if (wantedId?.toLowerCase() === currentId?.toLowerCase()) return subnet;
    return wantedId === undefined ? rest : { ...rest, networkSecurityGroup: { id: wantedId } };
  });
}
