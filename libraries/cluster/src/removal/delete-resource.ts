import { CloudError, resourceNameOf, sameResource } from "@keelson/arm";
import { apiVersionOf, azureErrorCode, azureErrorMessage, retryAdvice, unlessGone } from "@keelson/azure";
import { isPlainObject } from "@keelson/base";
import { managedGroupOf } from "@keelson/model";
import type { ClusterContext } from "../context/context.ts";
import { changeGroupOfSubnet } from "../network/attach-subnets.ts";

export interface FoundResource {
  readonly id: string;
  readonly type: string;
}

/** Deletes a resource. First removes references that would block the deletion. */
export async function deleteResource(context: ClusterContext, { id, type }: FoundResource): Promise<void> {
  const { logger } = context;
  const apiVersion = apiVersionOf(type);
  if (!apiVersion) {
    logger.warn({ resource: id }, "resource of an unknown type is left to its group");
    return;
  }
  if (type === "microsoft.network/networksecuritygroups") await detachFromSubnets(context, id);
  if (type === "microsoft.network/networkinterfaces") await repairNic(context, id);
  if (type === "microsoft.network/privatednszones") await deleteLinks(context, id, apiVersion);
  await deleteById(context, id, apiVersion);
}

async function deleteById({ azure, signal }: ClusterContext, id: string, apiVersion: string): Promise<void> {
  const path = id.replace(/^\//, "");
  await unlessGone(() => azure.resources.resources.deleteById(path, apiVersion, azure.call(signal)));
}

/** Deletes the virtual network links of a private DNS zone. A zone with links cannot be deleted. */
async function deleteLinks(context: ClusterContext, zoneId: string, apiVersion: string): Promise<void> {
  const { azure, signal } = context;
  const path = `${zoneId}/virtualNetworkLinks`;
  const listed = await unlessGone(() => azure.raw.get(path, { "api-version": apiVersion }, signal));
  const links = Array.isArray(listed?.value) ? listed.value : [];
  for (const link of links) {
    if (isPlainObject(link) && typeof link.id === "string") await deleteById(context, link.id, apiVersion);
  }
}

async function detachFromSubnets(context: ClusterContext, groupId: string): Promise<void> {
  const { cluster, azure, signal } = context;
  const group = await unlessGone(() =>
    azure.network.networkSecurityGroups.get(
      managedGroupOf(cluster),
      resourceNameOf(groupId),
      azure.call(signal),
    ),
  );
  for (const { id } of group?.subnets ?? []) {
    if (!id) continue;
    const without = (current: string | undefined) =>
      current !== undefined && sameResource(current, groupId) ? undefined : current;
    try {
      await unlessGone(() => changeGroupOfSubnet(context, id, without));
    } catch (error) {
      throw isSubnetRefusal(error) ? subnetError(id, error) : error;
    }
  }
}

/**
 * True if Azure refused to change a subnet of the customer's network and a retry cannot succeed. The customer must then remove
 * the cause.
 */
function isSubnetRefusal(error: unknown): boolean {
  return azureErrorCode(error) !== undefined && retryAdvice(error).kind === "terminal";
}

function subnetError(subnetId: string, cause: unknown): CloudError {
  const details = [{ code: azureErrorCode(cause) ?? "", message: azureErrorMessage(cause) }];
  return new CloudError("InvalidLinkedSubnet", `Failed to update subnet '${subnetId}'.`, { details, cause });
}

/** Updates a network interface in a failed state, because Azure refuses to delete the interface in this state. */
async function repairNic({ cluster, azure, signal }: ClusterContext, nicId: string): Promise<void> {
  const group = managedGroupOf(cluster);
  const name = resourceNameOf(nicId);
  const nic = await unlessGone(() => azure.network.networkInterfaces.get(group, name, azure.call(signal)));
  if (nic?.provisioningState !== "Failed") return;
  await azure.network.networkInterfaces.createOrUpdate(group, name, nic, azure.call(signal));
}
