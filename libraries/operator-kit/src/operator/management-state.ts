import { stringAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";

/** Whether controllers act: not while `Unmanaged` or `Removed`. Everything else, `Force` too, counts as `Managed`. */
export function isManaged(operator: KubeObject): boolean {
  const state = managementState(operator);
  return state !== "Unmanaged" && state !== "Removed";
}

/** As the operator's configuration has it: `Managed` when it does not say. */
export function managementState(operator: KubeObject): string {
  return stringAt(operator, "spec", "managementState") || "Managed";
}
