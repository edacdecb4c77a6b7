import type { ClusterSummary } from "@keelson/portal-api";
import { parseClusterPath } from "../api/cluster-path.ts";
import { fleetPages } from "../navigation/fleet-pages.ts";
import { type TabName, tabNames, tabPath } from "../navigation/tabs.ts";

/** Page that the quick search can open. */
export interface Target {
  readonly title: string;
  /** Text that distinguishes this page from pages with the same title. */
  readonly detail: string;
  readonly path: string;
}

const maxTargets = 12;

/**
 * Returns the pages that match every word of a query: pages of the fleet, clusters, and pages of a cluster. After a cluster name,
 * the last word can name a page of that cluster: `demo nodes` finds the page Nodes of the cluster `demo`. Without a cluster name in
 * the query, the last word selects a page of the current cluster.
 * @param path Path of the current page.
 */
export function findTargets(
  query: string,
  clusters: readonly ClusterSummary[],
  path: string,
): readonly Target[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const pages = fleetPages
    .filter(({ title }) => matches(title))
    .map(({ title, path: to }) => ({ title, detail: "page", path: to }));
  const named = clusters.filter(({ resourceId }) => matches(resourceId)).sort(byBeginning(words[0] ?? ""));
  const current = parseClusterPath(path)?.cluster;
  const here = clusters.find(
    ({ name, resourceGroup, subscription }) =>
      name.toLowerCase() === current?.name &&
      resourceGroup.toLowerCase() === current.resourceGroup &&
      subscription.toLowerCase() === current.subscription,
  );
  const targets = [
    ...(here && words.length > 0 ? tabsOf(here, tabNames.filter(matches)) : []),
    ...pages,
    ...named.slice(0, maxTargets).map((cluster) => clusterTarget(cluster)),
    ...tabsByLastWord(words, clusters),
  ];
  const distinct = new Map(targets.map((target) => [target.path, target]));
  return [...distinct.values()].slice(0, maxTargets);
}

function tabsByLastWord(words: readonly string[], clusters: readonly ClusterSummary[]): readonly Target[] {
  const last = words.at(-1);
  const others = words.slice(0, -1);
  if (last === undefined || others.length === 0) return [];
  const tabs = tabNames.filter((name) => tabPath(name).startsWith(last));
  if (tabs.length === 0) return [];
  const isMeant = ({ resourceId }: ClusterSummary) =>
    others.every((word) => resourceId.toLowerCase().includes(word));
  return clusters
    .filter(isMeant)
    .sort(byBeginning(others[0] ?? ""))
    .slice(0, maxTargets)
    .flatMap((cluster) => tabsOf(cluster, tabs));
}

const clusterTarget = ({ name, resourceGroup, resourceId }: ClusterSummary): Target => ({
  title: name,
  detail: `cluster in ${resourceGroup}`,
  path: resourceId.toLowerCase(),
});

const tabsOf = (cluster: ClusterSummary, tabs: readonly TabName[]): readonly Target[] =>
  tabs.map((tab) => ({
    title: `${cluster.name} · ${tab}`,
    detail: `page of a cluster in ${cluster.resourceGroup}`,
    path: `${cluster.resourceId.toLowerCase()}/${tabPath(tab)}`,
  }));

/** Returns a comparison function for clusters. Clusters with names that begin with the word come first. */
const byBeginning = (word: string) => (one: ClusterSummary, other: ClusterSummary) => {
  const rank = ({ name }: ClusterSummary) => (name.toLowerCase().startsWith(word) ? 0 : 1);
  return rank(one) - rank(other) || (one.name < other.name ? -1 : 1);
};
