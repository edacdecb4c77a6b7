import type { Route } from "../route.ts";
import { cancelOneManifest } from "./cancel-manifest.ts";
import { cancelManifestsOfSchedule } from "./cancel-manifests-of-schedule.ts";
import { clusterSummaries } from "./cluster-summaries.ts";
import { credentials } from "./credentials.ts";
import { deleteCluster } from "./delete-cluster.ts";
import { deleteManifest } from "./delete-manifest.ts";
import { getAdminAction } from "./get-admin-action.ts";
import { getBilling } from "./get-billing.ts";
import { getCluster } from "./get-cluster.ts";
import { getOneManifest } from "./get-manifest.ts";
import { getOpenShiftVersion } from "./get-open-shift-version.ts";
import { getRoleSet } from "./get-role-set.ts";
import { getSchedule } from "./get-schedule.ts";
import { hiveClusterDeployment, hiveClusterSync } from "./hive-clusters.ts";
import { hiveObjects } from "./hive-objects.ts";
import { hiveSyncSet, hiveSyncSets } from "./hive-sync-sets.ts";
import { listAdminActions } from "./list-admin-actions.ts";
import { listAdminCredentials } from "./list-admin-credentials.ts";
import { listAdminRoleSets } from "./list-admin-role-sets.ts";
import { listAdminVersions } from "./list-admin-versions.ts";
import { listBilling } from "./list-billing.ts";
import { listClusterOperations } from "./list-cluster-operations.ts";
import { listClustersInGroup } from "./list-clusters-in-group.ts";
import { listClustersInRegion } from "./list-clusters-in-region.ts";
import { listClustersInSubscription } from "./list-clusters-in-subscription.ts";
import { listCredentials } from "./list-credentials.ts";
import { listManifests } from "./list-manifests.ts";
import { listOpenShiftVersions } from "./list-open-shift-versions.ts";
import { listOperations } from "./list-operations.ts";
import { listQueuedManifests } from "./list-queued-manifests.ts";
import { listRoleSets } from "./list-role-sets.ts";
import { listSchedules } from "./list-schedules.ts";
import { maintenanceSelectors } from "./maintenance-selectors.ts";
import { operationResult } from "./operation-result.ts";
import { operationStatus } from "./operation-status.ts";
import { patchCluster } from "./patch-cluster.ts";
import { newElevatedKubeconfig, newKubeconfig } from "./portal-kubeconfigs.ts";
import { newElevatedSsh } from "./portal-ssh.ts";
import { preflight } from "./preflight.ts";
import { putAdminRoleSet } from "./put-admin-role-set.ts";
import { putAdminVersion } from "./put-admin-version.ts";
import { putCluster } from "./put-cluster.ts";
import { putManifest } from "./put-manifest.ts";
import { putSchedule } from "./put-schedule.ts";
import { putSubscription } from "./put-subscription.ts";
import { ready } from "./ready.ts";
import { supportedVmSizes } from "./supported-vm-sizes.ts";

/** Every route of the service but the actions of administrators. */
export const routes: readonly Route[] = [
  ready,
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
