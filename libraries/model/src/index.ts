export { defaultOperatorFlags } from "@keelson/aro-api";
export { adminVersion, findAnyVersion } from "./admin-version.ts";
export {
  assertRequestAllowed,
  assertSubscriptionAllows,
} from "./admission.ts";
export { apiVersions, findApiVersion } from "./api-versions.ts";
export {
  azureNames,
  infraIdOf,
  managedGroupOf,
  networkId,
  networkSecurityGroupId,
  regionOf,
  type StorageAccountNames,
  storageAccountNames,
} from "./cluster/azure-names.ts";
export { clusterDomain } from "./cluster/domain.ts";
export { controlPlaneReplicas, distribute, firstWorkerProfile, presentWorkers } from "./cluster/machines.ts";
export { parseSubnetId, subnetsOf } from "./cluster/subnets.ts";
export { isBoundTo } from "./cluster-binding.ts";
export { clusterKeys } from "./cluster-keys.ts";
export { applyClusterRequest } from "./cluster-request.ts";
export { claimDefault } from "./default-version.ts";
export { withDefaults } from "./defaults.ts";
export * from "./documents.ts";
export { toExternal } from "./external.ts";
export * from "./health/cluster-health.ts";
export { type Calendar, nextTime, parseCalendar } from "./maintenance/calendar.ts";
export * from "./maintenance/manifest.ts";
export { actuatorWorkers, registeredTasks } from "./maintenance/registered-tasks.ts";
export {
  assertScheduleChange,
  externalSchedule,
  type MaintenanceSchedule,
  type MaintenanceScheduleDocument,
  parseScheduleRequest,
  schedulesPartition,
} from "./maintenance/schedule.ts";
export {
  matchSelectors,
  type SelectorValues,
  selectorsOf,
} from "./maintenance/selectors.ts";
export type { MaintenanceState } from "./maintenance.ts";
export { newOperation } from "./new-operation.ts";
export * from "./open-shift-cluster.ts";
export { compareVersions, minorVersion, parseVersion } from "./openshift-version.ts";
export { type OpenShiftVersionProperties, parseVersionRequest } from "./openshift-version-request.ts";
export type { Published } from "./publish-documents.ts";
export { type PublishOptions, publishRoleSets, publishVersions } from "./publish-versions.ts";
export { parseRoleSetRequest, type RoleSetProperties } from "./role-set-request.ts";
export { type PlatformWorkloadIdentityRoleSet, platformIdentityRoles } from "./role-sets.ts";
export type { Violation } from "./rules/rule.ts";
export { assertSubscriptionTransition, parseSubscription } from "./subscription.ts";
export type { ApiVersion } from "./version.ts";
export { parseRoleSets, parseVersionStreams } from "./version-streams.ts";
export { throwViolations } from "./violations.ts";
export { findVmSize, type VmSize, vmSizes } from "./vm-sizes.ts";
