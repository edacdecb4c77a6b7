export { defaultOperatorFlags } from "@keelson/aro-api";
export { adminVersion, findAnyVersion } from "./api-versions/admin-version.ts";
export { apiVersions, findApiVersion } from "./api-versions/api-versions.ts";
export type { ApiVersion } from "./api-versions/version.ts";
export { claimDefault } from "./catalogue/default-version.ts";
export { publishedMachineImages } from "./catalogue/machine-images.ts";
export {
  type OpenShiftVersionProperties,
  parseVersionRequest,
} from "./catalogue/openshift-version-request.ts";
export type { Published } from "./catalogue/publish-documents.ts";
export { type PublishOptions, publishRoleSets, publishVersions } from "./catalogue/publish-versions.ts";
export { parseRoleSetRequest, type RoleSetProperties } from "./catalogue/role-set-request.ts";
export { type PlatformWorkloadIdentityRoleSet, platformIdentityRoles } from "./catalogue/role-sets.ts";
export { parseRoleSets, parseVersionStreams } from "./catalogue/version-streams.ts";
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
export { clusterKeys } from "./cluster/cluster-keys.ts";
export { withDefaults } from "./cluster/defaults.ts";
export { type ClusterDomain, clusterDomain } from "./cluster/domain.ts";
export { controlPlaneReplicas, distribute, firstWorkerProfile, presentWorkers } from "./cluster/machines.ts";
export type { MaintenanceState } from "./cluster/maintenance-state.ts";
export * from "./cluster/open-shift-cluster.ts";
export { compareVersions, minorVersion, parseVersion } from "./cluster/openshift-version.ts";
export { parseSubnetId, subnetsOf } from "./cluster/subnets.ts";
export { findVmSize, type VmSize, vmSizes } from "./cluster/vm-sizes.ts";
export { toExternal } from "./conversion/external.ts";
export {
  definitions,
  type GatewayDatabase,
  gatewayDefinitions,
  type ServiceDatabase,
} from "./database/collections.ts";
export { defaultRetention, definitionsWith, type Retention } from "./database/retention.ts";
export * from "./documents/action-request-document.ts";
export * from "./documents/admin-action-document.ts";
export * from "./documents/billing-document.ts";
export * from "./documents/catalogue-documents.ts";
export { isBoundTo } from "./documents/cluster-binding.ts";
export * from "./documents/cluster-documents.ts";
export * from "./documents/gateway-document.ts";
export { newOperation } from "./documents/new-operation.ts";
export * from "./documents/pool-documents.ts";
export * from "./documents/portal-documents.ts";
export * from "./documents/subscription-document.ts";
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
export type { Violation } from "./rules/rule.ts";
export {
  assertRequestAllowed,
  assertSubscriptionAllows,
} from "./subscriptions/admission.ts";
export { assertSubscriptionTransition, parseSubscription } from "./subscriptions/subscription.ts";
export { applyClusterRequest } from "./validation/put-or-patch-request.ts";
export { throwViolations } from "./validation/violations.ts";
