export type { ActionContext, ConnectCluster } from "./action-context.ts";
export { actionError } from "./action-error.ts";
export { type ActionJournal, noJournal } from "./action-journal.ts";
export { queryFlag } from "./actions/action-parameter.ts";
export type { AdminAction } from "./actions/admin-action.ts";
export { adminActions } from "./actions/admin-actions.ts";
export { getVm } from "./azure/virtual-machine.ts";
export { clusterConnector } from "./connect-cluster.ts";
export { resizeControlPlane } from "./control-plane/resize-control-plane.ts";
export {
  getSyncSet,
  type HiveContext,
  hiveClusterDeployment,
  hiveClusterSync,
  listSyncSets,
  readHiveObjects,
} from "./hive/hive-objects.ts";
export { execInContainer } from "./kubernetes/exec.ts";
export { isOpenShiftNamespace } from "./kubernetes/open-shift-namespaces.ts";
export {
  adminPermissions,
  findAdminPermission,
  needsReason,
  permissionsOf,
  roleOfAdminVersion,
} from "./permissions/admin-permissions.ts";
