import type { ClusterSummary } from "@keelson/portal-api";

/**
 * Returns the clusters that match the filter. The resource ID of a matching cluster contains every word of the filter. Case is
 * ignored.
 */
export function filterClusters(
  clusters: readonly ClusterSummary[],
  filter: string,
): readonly ClusterSummary[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return clusters.filter(({ resourceId }) => words.every((word) => resourceId.toLowerCase().includes(word)));
}

export const countOf = (clusters: readonly unknown[]): string =>
  `Showing ${clusters.length} item${clusters.length === 1 ? "" : "s"}`;

type State = Pick<ClusterSummary, "provisioningState" | "failedProvisioningState">;

/** Returns the state of a cluster. For a failed cluster, the string includes the failed operation. */
export const stateOf = ({ provisioningState, failedProvisioningState }: State): string =>
  provisioningState === "Failed" && failedProvisioningState !== ""
    ? `Failed - ${failedProvisioningState}`
    : provisioningState;
