import type { KubeObject } from "@keelson/apiserver";
import { stringAt } from "@keelson/base";
import { conditionStatus, findCondition } from "@keelson/kube";

/** True if the pod is neither terminated nor terminating. */
export function isActive(pod: KubeObject): boolean {
  const phase = stringAt(pod, "status", "phase");
  return pod.metadata.deletionTimestamp === undefined && phase !== "Succeeded" && phase !== "Failed";
}

export function isReady(pod: KubeObject): boolean {
  return conditionStatus(pod, "Ready") === "True";
}

/** Returns the milliseconds until a ready pod counts as available (`minReadySeconds`). 0 if it is already available. */
export function availableIn(pod: KubeObject, minReadySeconds: number, now: Date): number {
  if (minReadySeconds === 0) return 0;
  const ready = findCondition(pod, "Ready");
  const since = Date.parse(stringAt(ready, "lastTransitionTime") ?? "");
  return Math.max(0, since + minReadySeconds * 1_000 - now.getTime());
}

export function isAvailable(pod: KubeObject, minReadySeconds: number, now: Date): boolean {
  return isReady(pod) && availableIn(pod, minReadySeconds, now) === 0;
}
