export type { ActionContext, ConnectCluster } from "./action-context.ts";
export { actionError } from "./action-error.ts";
export { type ActionJournal, noJournal } from "./action-journal.ts";
export { deleteManagedResource } from "./azure/delete-managed-resource.ts";
export { listResources } from "./azure/list-resources.ts";
export { availableSizes, checkMasterSize } from "./azure/machine-sizes.ts";
export {
  checkNicGiven,
  checkNicName,
  effectiveRouteTable,
  reconcileFailedNic,
} from "./azure/network-interface.ts";
export { redeployVm } from "./azure/redeploy-vm.ts";
export { serialConsole } from "./azure/serial-console.ts";
export { getVm, resizeVm, startVm, stopVm } from "./azure/virtual-machine.ts";
export { clusterConnector } from "./connect-cluster.ts";
export { checkResize } from "./control-plane/check-resize.ts";
export { resizeControlPlane } from "./control-plane/resize-control-plane.ts";
export {
  getSyncSet,
  type HiveContext,
  hiveClusterDeployment,
  hiveClusterSync,
  listSyncSets,
  readHiveObjects,
} from "./hive/hive-objects.ts";
export { approveRequests, checkRequestName } from "./kubernetes/approve-requests.ts";
export { checkControlPlane } from "./kubernetes/check-control-plane.ts";
export { cordonNode } from "./kubernetes/cordon-node.ts";
export { drainNode } from "./kubernetes/drain-node.ts";
export { checkExecCommand, countEtcdKeys, execInContainer } from "./kubernetes/exec.ts";
export { runnableJob } from "./kubernetes/job-manifest.ts";
export {
  checkForce,
  deleteObject,
  parseObject,
  readObjects,
  writeObject,
} from "./kubernetes/kubernetes-objects.ts";
export { checkContainer, checkVmName } from "./kubernetes/object-rules.ts";
export { isOpenShiftNamespace } from "./kubernetes/open-shift-namespaces.ts";
export { podLogs } from "./kubernetes/pod-logs.ts";
export { recoverEtcd } from "./kubernetes/recover-etcd.ts";
export { renewEtcdCertificates } from "./kubernetes/renew-etcd-certificates.ts";
export { topNodes, topPods } from "./kubernetes/resource-usage.ts";
export { runJob } from "./kubernetes/run-job.ts";
export type { TextStream } from "./kubernetes/text-stream.ts";
export {
  adminPermissions,
  findAdminPermission,
  permissionsOf,
  roleOfAdminVersion,
} from "./permissions/admin-permissions.ts";
