import type { ClusterSummary, PortalEvents } from "@keelson/portal-api";

/** Progress of running operations, by the lower-case resource ID of the cluster. */
export type Progress = ReadonlyMap<string, PortalEvents["operation"]>;

const ended: readonly string[] = ["Succeeded", "Failed", "Canceled"];
const idOf = ({ resourceId }: { readonly resourceId: string }): string => resourceId.toLowerCase();

/** Returns the list with an added or changed cluster, ordered by key. */
export function withCluster(
  list: readonly ClusterSummary[],
  changed: ClusterSummary,
): readonly ClusterSummary[] {
  const others = list.filter((each) => idOf(each) !== idOf(changed));
  const at = others.findIndex(({ key }) => key > changed.key);
  return others.toSpliced(at < 0 ? others.length : at, 0, changed);
}

export const withoutCluster = (
  list: readonly ClusterSummary[],
  removed: PortalEvents["removed"],
): readonly ClusterSummary[] => list.filter((each) => idOf(each) !== idOf(removed));

/** Returns the list of clusters, in which one cluster has the health from a new observation of the monitor. */
export const withHealth = (
  list: readonly ClusterSummary[],
  { resourceId, health }: PortalEvents["health"],
): readonly ClusterSummary[] =>
  list.map((each) => (idOf(each) === resourceId.toLowerCase() ? { ...each, health } : each));

/** Returns the progress of all clusters after an event about an operation. A completed operation is removed. */
export function withOperation(progress: Progress, event: PortalEvents["operation"]): Progress {
  const next = new Map(progress);
  if (ended.includes(event.state)) next.delete(idOf(event));
  else next.set(idOf(event), event);
  return next;
}
