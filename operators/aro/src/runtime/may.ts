import type { Permission } from "./aro-controller.ts";

export const reading: readonly string[] = ["get", "list", "watch"];
/** Server-side apply requires the permissions to patch and to create objects. */
export const managing: readonly string[] = [...reading, "create", "patch", "delete"];

/** Declares a permission. Default: for all objects in all namespaces. */
export function may(
  verbs: readonly string[],
  apiGroup: string,
  resources: readonly string[],
  scope: Pick<Permission, "namespace" | "resourceNames"> = {},
): Permission {
  return { ...scope, apiGroups: [apiGroup], resources, verbs };
}
