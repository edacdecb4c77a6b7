export { adminVersion, findAnyVersion } from "./admin-version.ts";
export {
  assertRequestAllowed,
  assertSubscriptionAllows,
  type RequestKind,
} from "./admission.ts";
export { apiVersions, findApiVersion } from "./api-versions.ts";
export { type ClusterKeys, clusterKeys } from "./cluster-keys.ts";
export { applyClusterRequest, type ClusterRequest } from "./cluster-request.ts";
export * from "./documents.ts";
export { toExternal } from "./external.ts";
export type { MaintenanceSignal, MaintenanceState, MaintenanceTask } from "./maintenance.ts";
export * from "./open-shift-cluster.ts";
export { compareVersions, minorVersion, type OpenShiftVersion, parseVersion } from "./openshift-version.ts";
export { type OpenShiftVersionProperties, parseVersionRequest } from "./openshift-version-request.ts";
export { defaultOperatorFlags } from "./operator-flags.ts";
export { type PullSecret, parsePullSecret } from "./pull-secret.ts";
export { parseRoleSetRequest, type RoleSetProperties } from "./role-set-request.ts";
export type { PlatformWorkloadIdentityRoleSet } from "./role-sets.ts";
export { assertSubscriptionTransition, parseSubscription } from "./subscription.ts";
export type { ApiVersion, Operation } from "./version.ts";
export { findVmSize, minimumVersion, supportsRole, type VmRole, type VmSize, vmSizes } from "./vm-sizes.ts";
