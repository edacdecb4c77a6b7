import type { ClusterSummary } from "@keelson/portal-api";

/** Clusters whose resource ID has every word of the filter in it, in any letter case. */
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

/** A cluster's state, and in a failed one what had failed. */
export const stateOf = ({ provisioningState, failedProvisioningState }: State): string =>
  provisioningState === "Failed" && failedProvisioningState !== ""
    ? `Failed - ${failedProvisioningState}`
    : provisioningState;
