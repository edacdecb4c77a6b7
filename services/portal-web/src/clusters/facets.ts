import type { ClusterSummary } from "@keelson/portal-api";
import { stateOf } from "./cluster-rows.ts";
import { healthAt, healthWord } from "./health.ts";

/** Properties by which clusters are counted and filtered. Keys are the URL parameters. */
export const facets = {
  health: { title: "Health", valueOf: (cluster, nowMs) => healthWord(healthAt(cluster, nowMs)) },
  state: { title: "State", valueOf: stateOf },
  version: { title: "Version", valueOf: ({ version }) => version || none },
  region: { title: "Region", valueOf: ({ location }) => location || none },
} as const satisfies Readonly<Record<string, Facet>>;
export type FacetName = keyof typeof facets;
export const facetNames = Object.keys(facets) as readonly FacetName[];

interface Facet {
  readonly title: string;
  readonly valueOf: (cluster: ClusterSummary, nowMs: number) => string;
}

/** Facet value that stands for "the cluster does not have this property". */
const none = "none";

/** Selected values by facet. A facet without selected values does not restrict the clusters. */
export type Choice = Readonly<Partial<Record<FacetName, readonly string[]>>>;

export interface FacetCount {
  readonly value: string;
  readonly count: number;
}

const collator = new Intl.Collator("en", { numeric: true });

/**
 * Returns the clusters that match the selection. For each facet with selected values, a matching cluster has one of these values.
 */
export function chosenClusters(
  clusters: readonly ClusterSummary[],
  choice: Choice,
  nowMs: number,
): readonly ClusterSummary[] {
  const chosen = facetNames.filter((name) => (choice[name]?.length ?? 0) > 0);
  return clusters.filter((cluster) =>
    chosen.every((name) => choice[name]?.includes(facets[name].valueOf(cluster, nowMs))),
  );
}

/**
 * Counts the clusters by their value of one facet. Only clusters that match the selection in all other facets are counted.
 * Selected values with a count of zero are included, so that the person can deselect them.
 */
export function countValues(
  clusters: readonly ClusterSummary[],
  facet: FacetName,
  choice: Choice,
  nowMs: number,
): readonly FacetCount[] {
  const counts = new Map((choice[facet] ?? []).map((value) => [value, 0]));
  for (const cluster of chosenClusters(clusters, { ...choice, [facet]: [] }, nowMs)) {
    const value = facets[facet].valueOf(cluster, nowMs);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((one, other) => collator.compare(one.value, other.value));
}
