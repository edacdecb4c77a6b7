import type { DeclaredAction } from "./admin-action.ts";
import {
  deleteManagedResource,
  effectiveRouteTable,
  listResources,
  reconcileFailedNic,
} from "./azure-resources.ts";
import { checkResize, controlPlaneStatusCheck, resizeControlPlane } from "./control-plane.ts";
import { etcdCertificateRenew, etcdKeyCount, etcdRecovery } from "./etcd.ts";
import {
  deleteKubernetesObject,
  readKubernetesObjects,
  writeKubernetesObject,
} from "./kubernetes-objects.ts";
import { availableSizes, redeployVm, resizeVm, serialConsole, startVm, stopVm } from "./machines.ts";
import { approveCsr, cordonNode, drainNode, topNodes, topPods } from "./nodes.ts";
import { exec, kubernetesPodLogs, runJob } from "./pods.ts";
import { upgrade, upgradeStatus } from "./upgrade.ts";

/** All administrator actions on a cluster, in the order of `docs/admin-actions.md`. */
export const adminActions: readonly DeclaredAction[] = [
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
  startVm,
  stopVm,
  redeployVm,
  serialConsole,
  availableSizes,
  resizeVm,
  checkResize,
  resizeControlPlane,
  effectiveRouteTable,
  reconcileFailedNic,
  deleteManagedResource,
  upgradeStatus,
  upgrade,
];
