import { stringAt } from "@keelson/base";

/**
 * Returns `status.desired.version` of a ClusterVersion. Undefined until the cluster version operator sets it. Installers create
 * the object with an empty version.
 */
export function desiredVersionOf(clusterVersion: unknown): string | undefined {
  return stringAt(clusterVersion, "status", "desired", "version") || undefined;
}
