import type { KubeObject } from "@keelson/apiserver";
import { listAt, textAt } from "../base/fields.ts";

/** True if a version of the cluster was ever complete, which means that it is installed. */
export function wasEverComplete(clusterVersion: KubeObject): boolean {
  return hasCompleted(listAt(clusterVersion, "status", "history"));
}

/** Completion time of the cluster's first version. `undefined` during the installation. */
export function installedAt(clusterVersion: KubeObject): Date | undefined {
  const first = listAt(clusterVersion, "status", "history").findLast(isCompleted);
  return first === undefined ? undefined : new Date(textAt(first, "completionTime") ?? 0);
}

/** True if ClusterVersion's `status.history` has a completed entry. */
export function hasCompleted(history: readonly unknown[]): boolean {
  return history.some(isCompleted);
}

function isCompleted(entry: unknown): boolean {
  return textAt(entry, "state") === "Completed";
}
