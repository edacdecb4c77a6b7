import { textAt } from "./fields.ts";

/**
 * Returns `status.desired.version` of a ClusterVersion. Undefined until the cluster version operator sets it. Installers create
 * the object with an empty version.
 */
export function desiredVersionOf(clusterVersion: unknown): string | undefined {
  return textAt(clusterVersion, "status", "desired", "version") || undefined;
}
