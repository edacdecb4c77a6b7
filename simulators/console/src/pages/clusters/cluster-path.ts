import type { ClusterSummary } from "../../api/clusters.ts";

/** Path of a cluster in the console's API. */
export function clusterPath({ resourceGroup, name }: Pick<ClusterSummary, "resourceGroup" | "name">): string {
  return `/api/clusters/${encodeURIComponent(resourceGroup)}/${encodeURIComponent(name)}`;
}
