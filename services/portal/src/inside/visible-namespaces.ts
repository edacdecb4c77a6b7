import { isOpenShiftNamespace } from "@keelson/admin-actions";
import { stringAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";
import type { Role } from "@keelson/portal-api";

/** Returns the namespace of an object, or an empty string. A cluster may have any value there. */
export function namespaceOf(object: KubeObject): string {
  return stringAt(object, "metadata", "namespace") ?? "";
}

/** Returns a test for the namespaces that a role sees: those of the platform, and with elevation all. */
export function visibleNamespaces(role: Role): (namespace: string) => boolean {
  return role === "elevated" ? () => true : isOpenShiftNamespace;
}
