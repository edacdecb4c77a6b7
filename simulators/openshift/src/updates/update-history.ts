import type { KubeObject } from "@keelson/apiserver";
import { listAt, textAt } from "../base/fields.ts";

/** True if the cluster is installed, which means that any version was ever complete. */
export function wasEverComplete(clusterVersion: KubeObject): boolean {
  return hasCompleted(listAt(clusterVersion, "status", "history"));
}

/** Returns the completion time of the installation. `undefined` while the cluster is being installed. */
export function installedAt(clusterVersion: KubeObject): Date | undefined {
  const first = listAt(clusterVersion, "status", "history").findLast(isCompleted);
  return first === undefined ? undefined : new Date(textAt(first, "completionTime") ?? 0);
}

/** True if `status.history` of the ClusterVersion has a completed entry. */
export function hasCompleted(history: readonly unknown[]): boolean {
  return history.some(isCompleted);
}

function isCompleted(entry: unknown): boolean {
  return textAt(entry, "state") === "Completed";
}
