import { stringAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";

/** False if the management state is `Unmanaged` or `Removed`. All other values, including `Force`, count as `Managed`. */
export function isManaged(operator: KubeObject): boolean {
  const state = managementState(operator);
  return state !== "Unmanaged" && state !== "Removed";
}

/** Returns the management state in the operator's configuration. Default: `Managed`. */
export function managementState(operator: KubeObject): string {
  return stringAt(operator, "spec", "managementState") || "Managed";
}
