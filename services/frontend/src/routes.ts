import { getAdminAction, listAdminActions } from "./admin-actions/recorded-actions.ts";
import { getBilling, listBilling } from "./billing/billing.ts";
import { clusterSummaries } from "./clusters/cluster-summaries.ts";
import { credentials, listAdminCredentials, listCredentials } from "./clusters/credentials.ts";
import { deleteCluster } from "./clusters/delete-cluster.ts";
import { getCluster } from "./clusters/get-cluster.ts";
import {
  listClustersInGroup,
  listClustersInRegion,
  listClustersInSubscription,
} from "./clusters/list-clusters.ts";
import { patchCluster, putCluster } from "./clusters/put-or-patch-cluster.ts";
import { getAvailabilityStatus, listAvailabilityStatuses } from "./customer-events/availability-statuses.ts";
import { listServiceEvents } from "./customer-events/service-events.ts";
import { ready, readyForWrites } from "./health/ready.ts";
import {
  hiveClusterDeployment,
  hiveClusterSync,
  hiveObjects,
  hiveSyncSet,
  hiveSyncSets,
} from "./hive/hive.ts";
import type { Route } from "./http/route.ts";
import { cancelManifestsOfSchedule } from "./maintenance/cancel-manifests-of-schedule.ts";
import {
  cancelOneManifest,
  deleteManifest,
  getOneManifest,
  listManifests,
  listQueuedManifests,
  putManifest,
} from "./maintenance/manifests.ts";
import { getSchedule, listSchedules, putSchedule } from "./maintenance/schedules.ts";
import { maintenanceSelectors } from "./maintenance/selectors.ts";
import { listAdminVersions, putAdminVersion } from "./openshift-versions/admin-versions.ts";
import { getOpenShiftVersion, listOpenShiftVersions } from "./openshift-versions/open-shift-versions.ts";
import { supportedVmSizes } from "./openshift-versions/supported-vm-sizes.ts";
import { listClusterOperations } from "./operations/list-cluster-operations.ts";
import { listOperations } from "./operations/list-operations.ts";
import { operationResult, operationStatus } from "./operations/operation.ts";
import { newElevatedKubeconfig, newKubeconfig } from "./portal/kubeconfigs.ts";
import { newElevatedSsh } from "./portal/ssh.ts";
import { preflight } from "./preflight/preflight.ts";
import { listAdminRoleSets, putAdminRoleSet } from "./role-sets/admin-role-sets.ts";
import { getRoleSet, listRoleSets } from "./role-sets/role-sets.ts";
import { putSubscription } from "./subscriptions/put-subscription.ts";

/** All routes of the service except administrators' actions. */
export const routes: readonly Route[] = [
  ready,
  readyForWrites,
  listOperations,
  putSubscription,
  putCluster,
  patchCluster,
  getCluster,
  deleteCluster,
  listClustersInGroup,
  listClustersInSubscription,
  listCredentials,
  credentials,
  listAdminCredentials,
  listAvailabilityStatuses,
  getAvailabilityStatus,
  listServiceEvents,
  operationStatus,
  operationResult,
  listOpenShiftVersions,
  getOpenShiftVersion,
  preflight,
  listRoleSets,
  getRoleSet,
  listAdminVersions,
  putAdminVersion,
  listAdminRoleSets,
  putAdminRoleSet,
  supportedVmSizes,
  clusterSummaries,
  listClustersInRegion,
  maintenanceSelectors,
  listManifests,
  putManifest,
  getOneManifest,
  deleteManifest,
  cancelOneManifest,
  listQueuedManifests,
  cancelManifestsOfSchedule,
  listSchedules,
  getSchedule,
  putSchedule,
  listBilling,
  getBilling,
  listClusterOperations,
  newKubeconfig,
  newElevatedKubeconfig,
  newElevatedSsh,
  hiveClusterDeployment,
  hiveClusterSync,
  hiveSyncSets,
  hiveSyncSet,
  hiveObjects,
  listAdminActions,
  getAdminAction,
];
