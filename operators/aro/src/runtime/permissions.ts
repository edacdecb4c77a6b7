import { type OperatorRole, operatorNamespace, singleton } from "@keelson/aro-api";
import type { AroController, Permission } from "./aro-controller.ts";

/** Rights of every operator: read the Cluster, write its status, and own objects on its behalf. */
const ofBothRoles: readonly Permission[] = [
  { apiGroups: ["aro.openshift.io"], resources: ["clusters"], verbs: ["get", "list", "watch"] },
  {
    apiGroups: ["aro.openshift.io"],
    resources: ["clusters/status"],
    resourceNames: [singleton.name],
    verbs: ["patch"],
  },
];

/** Rights of masters, which write Events in the namespaces of repaired objects and use the Lease. */
const ofMasters: readonly Permission[] = [
  // `blockOwnerDeletion` requires this right on the owner's finalizers.
  { apiGroups: ["aro.openshift.io"], resources: ["clusters/finalizers"], verbs: ["update"] },
  { apiGroups: [""], resources: ["events"], verbs: ["get", "create", "patch"] },
  {
    namespace: operatorNamespace,
    apiGroups: ["coordination.k8s.io"],
    resources: ["leases"],
    verbs: ["get", "create", "update"],
  },
];

/** All API server permissions of an operator with these controllers. */
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
