import { isOpenShiftNamespace } from "@keelson/admin-actions";
import type { Role } from "@keelson/portal-api";

/** Returns a test for the namespaces that a role sees: those of the platform, and with elevation all. */
export function visibleNamespaces(role: Role): (namespace: string) => boolean {
  return role === "elevated" ? () => true : isOpenShiftNamespace;
}
