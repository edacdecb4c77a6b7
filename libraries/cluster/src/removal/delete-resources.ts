import { isNotFound, statusOf, unlessGone } from "@keelson/azure";
import { managedGroupOf } from "@keelson/model";
import type { ClusterContext } from "../context/context.ts";
import { findResourceGroup, isOwned } from "../managed-group/resource-group.ts";
import { deleteResource, type FoundResource } from "./delete-resource.ts";
import { explainDeletionError } from "./explain-deletion-error.ts";

/**
 * Deletion levels of resource types in the managed resource group, lowest first (Azure/ARO-RP pkg/cluster/delete.go). Resources
 * that use other resources are deleted before them. Unlisted types have level 0. Unlike in Azure/ARO-RP, public addresses are
 * deleted after the load balancers that use them.
 */
const levels: Readonly<Record<string, number>> = {
  "microsoft.compute/virtualmachines": -4,
  "microsoft.network/privateendpoints": -4,
  "microsoft.network/privatelinkservices": -3,
  "microsoft.compute/galleries/applications/versions": -2,
  "microsoft.compute/galleries/images/versions": -2,
  "microsoft.compute/galleries/applications": -1,
  "microsoft.compute/galleries/images": -1,
  "microsoft.compute/galleries/serviceartifacts": -1,
  "microsoft.network/networkinterfaces": -1,
  "microsoft.network/networksecuritygroups": 1,
  "microsoft.network/publicipaddresses": 1,
  "microsoft.network/privatednszones": 1,
  "microsoft.compute/galleries": 1,
};

/** Returns a step that deletes the resources of one level concurrently. */
export function deleteLevel(level: number): (context: ClusterContext) => Promise<void> {
  return async (context) => {
    if (!(await ownsGroup(context))) return;
    const found = await listResources(context);
    const wanted = found.filter(({ type }) => (levels[type] ?? 0) === level);
    const results = await Promise.allSettled(wanted.map((each) => deleteResource(context, each)));
    for (const result of results) if (result.status === "rejected") throw explainDeletionError(result.reason);
  };
}

/** Deletes the resource group with all remaining resources. */
export async function deleteResourceGroup(context: ClusterContext): Promise<void> {
  if (!(await ownsGroup(context))) return;
  const { cluster, azure, signal } = context;
  try {
    await unlessGone(() =>
      azure.resources.resourceGroups.delete(managedGroupOf(cluster), azure.call(signal)),
    );
  } catch (error) {
    throw explainDeletionError(error);
  }
}

/** True if this cluster manages the group. The steps delete nothing in a group with a different manager. */
export async function ownsGroup(context: ClusterContext): Promise<boolean> {
  const group = await findResourceGroup(context);
  if (group && isOwned(context, group)) return true;
  context.logger.info({ found: group !== undefined }, "the managed resource group is not this cluster's");
  return false;
}

async function listResources({ cluster, azure, signal }: ClusterContext): Promise<readonly FoundResource[]> {
  const found: FoundResource[] = [];
  const group = managedGroupOf(cluster);
  try {
    for await (const { id, type } of azure.resources.resources.listByResourceGroup(
      group,
      azure.call(signal),
    )) {
      if (id && type) found.push({ id, type: type.toLowerCase() });
    }
  } catch (error) {
    if (statusOf(error) !== 403 && !isNotFound(error)) throw error;
  }
  return found.toSorted((a, b) => (a.id.toLowerCase() < b.id.toLowerCase() ? -1 : 1));
}
