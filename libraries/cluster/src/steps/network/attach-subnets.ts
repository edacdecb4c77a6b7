import { CloudError, sameResource } from "@keelson/arm";
import { azureErrorMessage } from "@keelson/azure";
import { firstWorkerProfile, networkSecurityGroupId, withProperties } from "@keelson/model";
import type { ClusterContext } from "../../context.ts";
import { clusterErrors } from "../../errors.ts";
import { changeSubnet } from "./subnet-writes.ts";

/**
 * Attaches the cluster's network security group to the subnets of the masters and the first workers, unless the
 * customer brought their own.
 * @throws CloudError InvalidLinkedVNet when another group has been attached since the validation
 */
export async function attachNSGs(context: ClusterContext): Promise<void> {
  const { cluster } = context;
  if (cluster.properties.networkProfile.preconfiguredNSG === "Enabled") return;
  const subnetIds = new Set([
    cluster.properties.masterProfile.subnetId,
    firstWorkerProfile(cluster).subnetId,
  ]);
  for (const subnetId of subnetIds) await attachGroup(context, subnetId);
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

/** Azure's error for a group that it has just created. */
const notYetThere = /Resource.*networkSecurityGroups.*referenced by resource.*not found/i;

/** The operator does not manage groups that the customer brought (Azure/ARO-RP pkg/cluster/nsg.go). */
export async function ensurePreconfiguredNSG({ update }: ClusterContext): Promise<void> {
  await update((cluster) => {
    const { networkProfile, operatorFlags } = cluster.properties;
    if (networkProfile.preconfiguredNSG !== "Enabled" || operatorFlags?.[managedGroupsFlag] === "false")
      return cluster;
    return withProperties(cluster, { operatorFlags: { ...operatorFlags, [managedGroupsFlag]: "false" } });
  });
}

const managedGroupsFlag = "aro.azuresubnets.nsg.managed";

/** Sets the network security group of a subnet to what `change` makes of the current one. */
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
