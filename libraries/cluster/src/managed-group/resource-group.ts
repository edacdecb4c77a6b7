import { CloudError, sameResource } from "@keelson/arm";
import { azureErrorCode, azureErrorMessage, unlessGone } from "@keelson/azure";
import { messageOf } from "@keelson/base";
import { managedGroupOf } from "@keelson/model";
import { isInterruption } from "@keelson/workflow";
import type { ResourceGroup } from "../context/azure-models.ts";
import type { ClusterContext } from "../context/context.ts";

/**
 * Creates or updates the managed resource group. The customer's tags stay unchanged.
 * @throws CloudError ClusterResourceGroupAlreadyExists if the group has a different manager or location
 */
export async function ensureResourceGroup(context: ClusterContext): Promise<void> {
  const { cluster, azure, signal } = context;
  const name = managedGroupOf(cluster);
  const found = await findResourceGroup(context);
  if (
    found &&
    !(isOwned(context, found) && found.location?.toLowerCase() === cluster.location.toLowerCase())
  ) {
    throw new CloudError(
      "ClusterResourceGroupAlreadyExists",
      `Resource group ${cluster.properties.clusterProfile.resourceGroupId} must not already exist.`,
    );
  }
  const group = {
    location: cluster.location,
    managedBy: cluster.id,
    ...(found?.tags ? { tags: found.tags } : {}),
  };
  try {
    await azure.resources.resourceGroups.createOrUpdate(name, group, azure.call(signal));
  } catch (error) {
    if (azureErrorCode(error) !== "RequestDisallowedByPolicy") throw error;
    const details = [{ code: "RequestDisallowedByPolicy", message: azureErrorMessage(error) }];
    throw new CloudError("DeploymentFailed", "Deployment failed.", { details, cause: error });
  }
}

/**
 * Updates the managed resource group before its deletion, because the update restores permissions that the service may have lost.
 * Does not create a missing group, and does not change a group with a different manager. Failures are only logged.
 */
export async function restoreResourceGroup(context: ClusterContext): Promise<void> {
  const { signal, logger } = context;
  try {
    const found = await findResourceGroup(context);
    if (found && isOwned(context, found)) await ensureResourceGroup(context);
  } catch (error) {
    signal.throwIfAborted();
    if (isInterruption(error)) throw error;
    logger.warn({ reason: messageOf(error) }, "the managed resource group was not written again");
  }
}

export async function findResourceGroup(context: ClusterContext): Promise<ResourceGroup | undefined> {
  const { cluster, azure, signal } = context;
  return unlessGone(() => azure.resources.resourceGroups.get(managedGroupOf(cluster), azure.call(signal)));
}

/** True if this cluster is the manager of the group. The service must not change a group with a different manager. */
export function isOwned({ cluster }: ClusterContext, group: ResourceGroup): boolean {
  return group.managedBy !== undefined && sameResource(group.managedBy, cluster.id);
}
