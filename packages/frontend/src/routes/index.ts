import type { Route } from "../route.ts";
import { clusterSummaries } from "./cluster-summaries.ts";
import { credentials } from "./credentials.ts";
import { deleteCluster } from "./delete-cluster.ts";
import { getCluster } from "./get-cluster.ts";
import { getOpenShiftVersion } from "./get-open-shift-version.ts";
import { getRoleSet } from "./get-role-set.ts";
import { listAdminCredentials } from "./list-admin-credentials.ts";
import { listAdminRoleSets } from "./list-admin-role-sets.ts";
import { listAdminVersions } from "./list-admin-versions.ts";
import { listClustersInGroup } from "./list-clusters-in-group.ts";
import { listClustersInRegion } from "./list-clusters-in-region.ts";
import { listClustersInSubscription } from "./list-clusters-in-subscription.ts";
import { listCredentials } from "./list-credentials.ts";
import { listOpenShiftVersions } from "./list-open-shift-versions.ts";
import { listOperations } from "./list-operations.ts";
import { listRoleSets } from "./list-role-sets.ts";
import { maintenanceSelectors } from "./maintenance-selectors.ts";
import { operationResult } from "./operation-result.ts";
import { operationStatus } from "./operation-status.ts";
import { patchCluster } from "./patch-cluster.ts";
import { preflight } from "./preflight.ts";
import { putAdminRoleSet } from "./put-admin-role-set.ts";
import { putAdminVersion } from "./put-admin-version.ts";
import { putCluster } from "./put-cluster.ts";
import { putSubscription } from "./put-subscription.ts";
import { ready } from "./ready.ts";
import { supportedVmSizes } from "./supported-vm-sizes.ts";

/** Every route of the service. */
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
];
