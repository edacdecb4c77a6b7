import type { ClusterDocument } from "./cluster-documents.ts";

/** Cluster fields that determine which documents belong to it. */
export type BindingCluster = Pick<ClusterDocument, "id" | "openShiftCluster">;

/** Largest difference between the clocks of two machines. */
const clockSkewMs = 300_000;

/**
 * True if a document belongs to this cluster and not to an earlier one with the same name. Documents without
 * `clusterDocumentId`, written by older releases, belong to it if they were created after it, with tolerance
 * for clock differences.
 */
export function isBoundTo(
  { id, openShiftCluster }: BindingCluster,
  clusterDocumentId: string | undefined,
  madeAt: string | undefined,
): boolean {
  if (clusterDocumentId !== undefined) return clusterDocumentId === id;
  return Date.parse(madeAt ?? "") >= Date.parse(openShiftCluster.properties.createdAt) + clockSkewMs;
}
