import { parseResourceId } from "@keelson/arm";
import type { ClusterDocument } from "@keelson/model";

/** Dimensions of each cluster metric, in the case of the cluster's creation. */
export function clusterDimensions({
  openShiftCluster: { id },
}: ClusterDocument): Readonly<Record<string, string>> {
  const parsed = parseResourceId(id);
  if (!parsed) throw new Error(`${id} is not the ID of a cluster`);
  const { subscriptionId, resourceGroup, path } = parsed;
  const [[, resourceName] = ["", ""]] = path;
  return { resourceId: id, subscriptionId, resourceGroup, resourceName };
}

/** Dimensions of each metric about the monitor's work with a cluster. */
export function workDimensions({ openShiftCluster: { id, location }, partitionKey }: ClusterDocument) {
  return { resourceId: id, location, subscriptionId: partitionKey };
}
