import { type OperatorRole, operatorNamespace, singleton } from "@keelson/aro-api";
import type { AroController, Permission } from "./aro-controller.ts";

/** What every operator does: it reads the Cluster, writes its status, and owns objects for it. */
const ofBothRoles: readonly Permission[] = [
  { apiGroups: ["aro.openshift.io"], resources: ["clusters"], verbs: ["get", "list", "watch"] },
  {
    apiGroups: ["aro.openshift.io"],
    resources: ["clusters/status"],
    resourceNames: [singleton.name],
    verbs: ["patch"],
  },
];

/** Only masters repair: of that they write Events, in the namespaces of the objects, and one of them holds the Lease. */
const ofMasters: readonly Permission[] = [
  // To set an owner that blocks its own deletion takes the right to hold that deletion up.
  { apiGroups: ["aro.openshift.io"], resources: ["clusters/finalizers"], verbs: ["update"] },
  { apiGroups: [""], resources: ["events"], verbs: ["get", "create", "patch"] },
  {
    namespace: operatorNamespace,
    apiGroups: ["coordination.k8s.io"],
    resources: ["leases"],
    verbs: ["get", "create", "update"],
  },
];

/** All that an operator with these controllers asks of the API server. */
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
