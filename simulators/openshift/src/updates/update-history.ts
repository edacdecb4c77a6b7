import type { KubeObject } from "@keelson/apiserver";
import { listAt, stringAt } from "@keelson/base";

/** True if the cluster has been installed, which means that its update history contains a completed version. */
export function wasEverComplete(clusterVersion: KubeObject): boolean {
  return hasCompleted(listAt(clusterVersion, "status", "history"));
}

/** Returns the completion time of the installation. `undefined` while the cluster is being installed. */
export function installedAt(clusterVersion: KubeObject): Date | undefined {
  const first = listAt(clusterVersion, "status", "history").findLast(isCompleted);
  return first === undefined ? undefined : new Date(stringAt(first, "completionTime") ?? 0);
}

/** True if `status.history` of the ClusterVersion has a completed entry. */
export function hasCompleted(history: readonly unknown[]): boolean {
  return history.some(isCompleted);
}

function isCompleted(entry: unknown): boolean {
  return stringAt(entry, "state") === "Completed";
}
