import { type OperatorRole, operatorNamespace, singleton } from "@keelson/aro-api";
import type { AroController, Permission } from "./aro-controller.ts";

/**
 * Permissions of both operator roles. They allow the operator to read the Cluster, write its status, and set the Cluster as owner
 * of objects.
 */
const ofBothRoles: readonly Permission[] = [
  { apiGroups: ["aro.openshift.io"], resources: ["clusters"], verbs: ["get", "list", "watch"] },
  {
    apiGroups: ["aro.openshift.io"],
    resources: ["clusters/status"],
    resourceNames: [singleton.name],
    verbs: ["patch"],
  },
];

/**
 * Permissions of operators with the role `master`. They write Events in the namespaces of repaired objects, and use the leader
 * election Lease.
 */
const ofMasters: readonly Permission[] = [
  // The API server requires this permission on the owner's finalizers for an owner reference with `blockOwnerDeletion`.
  { apiGroups: ["aro.openshift.io"], resources: ["clusters/finalizers"], verbs: ["update"] },
  { apiGroups: [""], resources: ["events"], verbs: ["get", "create", "patch"] },
  {
    namespace: operatorNamespace,
    apiGroups: ["coordination.k8s.io"],
    resources: ["leases"],
    verbs: ["get", "create", "update"],
  },
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
