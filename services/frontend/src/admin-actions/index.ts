import { approveCsr } from "./approve-csr.ts";
import { availableSizes } from "./available-sizes.ts";
import { checkResize } from "./check-resize.ts";
import { controlPlaneStatusCheck } from "./control-plane-status-check.ts";
import { cordonNode } from "./cordon-node.ts";
import { deleteKubernetesObject } from "./delete-kubernetes-object.ts";
import { deleteManagedResource } from "./delete-managed-resource.ts";
import { drainNode } from "./drain-node.ts";
import { effectiveRouteTable } from "./effective-route-table.ts";
import { etcdCertificateRenew } from "./etcd-certificate-renew.ts";
import { etcdKeyCount } from "./etcd-key-count.ts";
import { etcdRecovery } from "./etcd-recovery.ts";
import { exec } from "./exec.ts";
import { kubernetesPodLogs } from "./kubernetes-pod-logs.ts";
import { listResources } from "./list-resources.ts";
import { readKubernetesObjects } from "./read-kubernetes-objects.ts";
import { reconcileFailedNic } from "./reconcile-failed-nic.ts";
import { redeployVm } from "./redeploy-vm.ts";
import { resizeControlPlane } from "./resize-control-plane.ts";
import { resizeVm } from "./resize-vm.ts";
import { runJob } from "./run-job.ts";
import type { AdminAction } from "./running/admin-action.ts";
import { serialConsole } from "./serial-console.ts";
import { startVm } from "./start-vm.ts";
import { stopVm } from "./stop-vm.ts";
import { topNodes } from "./top-nodes.ts";
import { topPods } from "./top-pods.ts";
import { writeKubernetesObject } from "./write-kubernetes-object.ts";

/** Everything that administrators can do to a cluster. */
export const adminActions: readonly AdminAction[] = [
  readKubernetesObjects,
  writeKubernetesObject,
  deleteKubernetesObject,
  kubernetesPodLogs,
  exec,
  runJob,
  cordonNode,
  drainNode,
  approveCsr,
  topPods,
  topNodes,
  etcdKeyCount,
  etcdRecovery,
  etcdCertificateRenew,
  controlPlaneStatusCheck,
  listResources,
  serialConsole,
  startVm,
  stopVm,
  redeployVm,
  availableSizes,
  resizeVm,
  effectiveRouteTable,
  reconcileFailedNic,
  deleteManagedResource,
  checkResize,
  resizeControlPlane,
];
