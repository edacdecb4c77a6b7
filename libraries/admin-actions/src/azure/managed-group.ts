import { CloudError, resourceGroupNameOf, resourceNameOf } from "@keelson/arm";
import { isNotFound } from "@keelson/azure";
import type { ClusterDocument } from "@keelson/model";

/** Returns the name of the managed resource group, which contains the cluster's machines. */
export function managedGroupOf({ openShiftCluster }: ClusterDocument): string {
  return resourceNameOf(openShiftCluster.properties.clusterProfile.resourceGroupId);
}

/**
 * Returns the result of `call`. If Azure reports a missing resource, throws a 404 error that names the resource. A 404 is
 * correct, because the service itself has not failed.
 */
export async function named<T>(document: ClusterDocument, what: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (!isNotFound(cause)) throw cause;
    const group = resourceGroupNameOf(document.openShiftCluster.id)?.toLowerCase();
    const message = `The ${what} under resource group '${group}' was not found.`;
    throw new CloudError("NotFound", message, { cause });
  }
}
