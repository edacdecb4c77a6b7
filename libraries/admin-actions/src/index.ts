export { type ActionInput, type ActionParameter, queryFlag } from "./actions/action-parameter.ts";
export type { AdminAction, DeclaredAction, RequestableAction } from "./actions/admin-action.ts";
export { adminActions } from "./actions/admin-actions.ts";
export { getVm } from "./azure/virtual-machine.ts";
export type { ActionContext, ConnectCluster } from "./context/action-context.ts";
export { actionError } from "./context/action-error.ts";
export { type ActionJournal, noJournal } from "./context/action-journal.ts";
export { clusterConnector } from "./context/connect-cluster.ts";
export { checkObjectAccess, isName, isSecret } from "./context/object-rules.ts";
export { isOpenShiftNamespace } from "./context/open-shift-namespaces.ts";
export { resizeControlPlane } from "./control-plane/resize-control-plane.ts";
export { acceptRequest } from "./governance/accept-request.ts";
export { actionDigest } from "./governance/action-digest.ts";
export { elevate, endElevation, findElevation, withElevations } from "./governance/elevation.ts";
export * from "./governance/governance-settings.ts";
export {
  getSyncSet,
  type HiveContext,
  hiveClusterDeployment,
  hiveClusterSync,
  listSyncSets,
  readHiveObjects,
} from "./hive/hive-objects.ts";
export { execInContainer } from "./kubernetes/exec.ts";
export {
  cancelMaintenance,
  maintenanceTaskNames,
  planMaintenance,
} from "./maintenance/maintenance-requests.ts";
export {
  adminPermissions,
  findAdminPermission,
  needsReason,
  permissionsOf,
  roleOfAdminVersion,
} from "./permissions/admin-permissions.ts";
