import { isOpenShiftNamespace } from "@keelson/admin-actions";
import { stringAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";
import type { Role } from "@keelson/portal-api";

/** Returns the namespace of an object. Empty if the namespace is missing or not a string. */
export function namespaceOf(object: KubeObject): string {
  return stringAt(object, "metadata", "namespace") ?? "";
}

/**
 * Returns a predicate that is true for visible namespaces. A person without an elevation can see only the platform's namespaces.
 */
export function visibleNamespaces(role: Role): (namespace: string) => boolean {
  return role === "elevated" ? () => true : isOpenShiftNamespace;
}
