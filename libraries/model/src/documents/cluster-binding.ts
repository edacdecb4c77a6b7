import type { ClusterDocument } from "./cluster-documents.ts";

/** Fields of a cluster document that determine which other documents belong to the cluster. */
export type BindingCluster = Pick<ClusterDocument, "id" | "openShiftCluster">;

/** Maximum clock difference between two machines in ms. */
const clockSkewMs = 300_000;

/**
 * True if a document belongs to this cluster and not to an earlier cluster with the same name. Documents of older releases have
 * no `clusterDocumentId`. Such a document belongs to this cluster only if it was created at least five minutes after the cluster.
 * The clocks of machines may differ by up to five minutes.
 */
export function isBoundTo(
  { id, openShiftCluster }: BindingCluster,
  clusterDocumentId: string | undefined,
  madeAt: string | undefined,
): boolean {
  if (clusterDocumentId !== undefined) return clusterDocumentId === id;
  return Date.parse(madeAt ?? "") >= Date.parse(openShiftCluster.properties.createdAt) + clockSkewMs;
}
