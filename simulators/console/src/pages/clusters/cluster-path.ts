import type { ClusterSummary } from "../../api/clusters.ts";

type ClusterNames = Pick<ClusterSummary, "resourceGroup" | "name">;

/** Text `GROUP/NAME` that names a cluster in the page's URL. */
export function clusterKey({ resourceGroup, name }: ClusterNames): string {
  return `${resourceGroup}/${name}`;
}

/** Parses a string that {@link clusterKey} has returned. */
export function clusterOfKey(key: string): ClusterNames {
  const [resourceGroup = "", ...name] = key.split("/");
  return { resourceGroup, name: name.join("/") };
}

/** Path of a cluster in the console's API. */
export function clusterPath({ resourceGroup, name }: ClusterNames): string {
  return `/api/clusters/${encodeURIComponent(resourceGroup)}/${encodeURIComponent(name)}`;
}
