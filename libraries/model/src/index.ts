export { defaultOperatorFlags } from "@keelson/aro-api";
export { adminVersion, findAnyVersion } from "./admin-version.ts";
export {
  assertRequestAllowed,
  assertSubscriptionAllows,
  type RequestKind,
} from "./admission.ts";
export { apiVersions, findApiVersion } from "./api-versions.ts";
export { type Cidr, overlaps, parseCidr } from "./cidr.ts";
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
export { type ClusterDomain, clusterDomain } from "./cluster/domain.ts";
export { controlPlaneReplicas, distribute, firstWorkerProfile, presentWorkers } from "./cluster/machines.ts";
export { parseSubnetId, type SubnetRef, subnetsOf } from "./cluster/subnets.ts";
export { type BindingCluster, isBoundTo } from "./cluster-binding.ts";
export { type ClusterKeys, clusterKeys } from "./cluster-keys.ts";
export { applyClusterRequest, type ClusterRequest } from "./cluster-request.ts";
export { claimDefault } from "./default-version.ts";
export { withDefaults } from "./defaults.ts";
export * from "./documents.ts";
export { toExternal } from "./external.ts";
export { type Calendar, nextTime, type ParsedCalendar, parseCalendar } from "./maintenance/calendar.ts";
export { type ParsedDuration, parseDuration } from "./maintenance/duration.ts";
export * from "./maintenance/manifest.ts";
export {
  assertScheduleChange,
  externalSchedule,
  type MaintenanceSchedule,
  type MaintenanceScheduleDocument,
  parseScheduleRequest,
  type ScheduleRequest,
  schedulesPartition,
} from "./maintenance/schedule.ts";
export {
  type MaintenanceSelector,
  matchSelectors,
  type SelectorValues,
  selectorsOf,
} from "./maintenance/selectors.ts";
export type { MaintenanceSignal, MaintenanceState, MaintenanceTask } from "./maintenance.ts";
export * from "./open-shift-cluster.ts";
export { compareVersions, minorVersion, type OpenShiftVersion, parseVersion } from "./openshift-version.ts";
export { type OpenShiftVersionProperties, parseVersionRequest } from "./openshift-version-request.ts";
export type { Published } from "./publish-documents.ts";
export { type PublishOptions, publishRoleSets, publishVersions } from "./publish-versions.ts";
export { type PullSecret, parsePullSecret } from "./pull-secret.ts";
export { parseRoleSetRequest, type RoleSetProperties } from "./role-set-request.ts";
export { type PlatformWorkloadIdentityRoleSet, platformIdentityRoles } from "./role-sets.ts";
export type { Violation } from "./rules/rule.ts";
export { assertSubscriptionTransition, parseSubscription } from "./subscription.ts";
export type { ApiVersion, Operation } from "./version.ts";
export { parseRoleSets, parseVersionStreams } from "./version-streams.ts";
export { throwViolations } from "./violations.ts";
export { findVmSize, minimumVersion, supportsRole, type VmRole, type VmSize, vmSizes } from "./vm-sizes.ts";
