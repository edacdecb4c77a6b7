import { type OperatorRole, operatorNamespace, singleton } from "@keelson/aro-api";
import type { AroController, Permission } from "./aro-controller.ts";
import { may, reading } from "./may.ts";

/**
 * Permissions of both operator roles. They allow the operator to read the Cluster, write its status, and set the Cluster as owner
 * of objects.
 */
const ofBothRoles: readonly Permission[] = [
  may(reading, "aro.openshift.io", ["clusters"]),
  may(["patch"], "aro.openshift.io", ["clusters/status"], { resourceNames: [singleton.name] }),
];

/**
 * Permissions of operators with the role `master`. They write Events in the namespaces of repaired objects, and use the leader
 * election Lease.
 */
const ofMasters: readonly Permission[] = [
  // The API server requires this permission on the owner's finalizers for an owner reference with `blockOwnerDeletion`.
  may(["update"], "aro.openshift.io", ["clusters/finalizers"]),
  may(["get", "create", "patch"], "", ["events"]),
  may(["get", "create", "update"], "coordination.k8s.io", ["leases"], { namespace: operatorNamespace }),
];

/** Returns all API server permissions that an operator with these controllers needs. */
export function permissionsOf(
  role: OperatorRole,
  controllers: readonly AroController[],
): readonly Permission[] {
  return [
    ...ofBothRoles,
    ...(role === "master" ? ofMasters : []),
    ...controllers.flatMap(({ permissions }) => permissions),
  ];
}
