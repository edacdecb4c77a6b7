import { createHash } from "node:crypto";

/**
 * Returns the index of the process that runs a cluster. The index depends only on the cluster's infrastructure ID and the number of
 * processes, so all programs compute the same index.
 */
export function clusterProcessOf(infraId: string, processes: number): number {
  if (processes <= 1) return 0;
  return createHash("sha256").update(infraId).digest().readUInt32BE(0) % processes;
}
