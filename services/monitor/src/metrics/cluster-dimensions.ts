import { parseResourceId } from "@keelson/arm";
import type { ClusterDocument } from "@keelson/model";

/** On each metric of a cluster, in the case in which its creator typed them. */
export function clusterDimensions({
  openShiftCluster: { id },
}: ClusterDocument): Readonly<Record<string, string>> {
  const parsed = parseResourceId(id);
  if (!parsed) throw new Error(`${id} is not the ID of a cluster`);
  const { subscriptionId, resourceGroup, path } = parsed;
  const [[, resourceName] = ["", ""]] = path;
  return { resourceId: id, subscriptionId, resourceGroup, resourceName };
}

/** On each metric that the monitor has of its own work with a cluster. */
export function workDimensions({ openShiftCluster: { id, location }, partitionKey }: ClusterDocument) {
  return { resourceId: id, location, subscriptionId: partitionKey };
}
