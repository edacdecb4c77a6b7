import type { ClusterDocument } from "./cluster-documents.ts";

/** The fields of a cluster that decide which documents belong to it. */
export type BindingCluster = Pick<ClusterDocument, "id" | "openShiftCluster">;

/** Largest difference between the clocks of two machines. */
const clockSkewMs = 300_000;

/**
 * True if a document belongs to this cluster, not to an earlier one of its name. Documents of releases without
 * `clusterDocumentId` belong to it if they were made after it, with room for differences between clocks.
 */
export function isBoundTo(
  { id, openShiftCluster }: BindingCluster,
  clusterDocumentId: string | undefined,
  madeAt: string | undefined,
): boolean {
  if (clusterDocumentId !== undefined) return clusterDocumentId === id;
  return Date.parse(madeAt ?? "") >= Date.parse(openShiftCluster.properties.createdAt) + clockSkewMs;
}
