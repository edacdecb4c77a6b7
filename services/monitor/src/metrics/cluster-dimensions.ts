import { parseResourceId } from "@keelson/arm";
import type { ClusterDocument } from "@keelson/model";

/** Returns the dimensions of all metrics of a cluster. Names have the letter case in which the cluster was created. */
export function clusterDimensions({
  openShiftCluster: { id },
}: ClusterDocument): Readonly<Record<string, string>> {
  const parsed = parseResourceId(id);
  if (!parsed) throw new Error(`${id} is not the ID of a cluster`);
  const { subscriptionId, resourceGroup, path } = parsed;
  const [[, resourceName] = ["", ""]] = path;
  return { resourceId: id, subscriptionId, resourceGroup, resourceName };
}

/** Returns the dimensions of metrics about the monitor's own work on a cluster. */
export function workDimensions({ openShiftCluster: { id, location }, partitionKey }: ClusterDocument) {
  return { resourceId: id, location, subscriptionId: partitionKey };
}
