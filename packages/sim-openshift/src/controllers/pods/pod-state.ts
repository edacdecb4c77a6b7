import type { KubeObject } from "@keelson/apiserver";
import { conditionStatus } from "../../runtime/conditions.ts";
import { textAt } from "../../runtime/fields.ts";

/** Neither ended nor being deleted. */
export function isActive(pod: KubeObject): boolean {
  const phase = textAt(pod, "status", "phase");
  return pod.metadata.deletionTimestamp === undefined && phase !== "Succeeded" && phase !== "Failed";
}

export function isReady(pod: KubeObject): boolean {
  return conditionStatus(pod, "Ready") === "True";
}
