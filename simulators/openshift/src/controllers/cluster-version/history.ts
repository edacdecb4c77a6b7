import type { KubeObject } from "@keelson/apiserver";
import { listAt, textAt } from "../../runtime/fields.ts";

/** Whether any version of the cluster was ever complete: it is installed. */
export function wasEverComplete(clusterVersion: KubeObject): boolean {
  return hasCompleted(listAt(clusterVersion, "status", "history"));
}

/** Whether ClusterVersion's `status.history` has a completed entry. */
export function hasCompleted(history: readonly unknown[]): boolean {
  return history.some((entry) => textAt(entry, "state") === "Completed");
}
