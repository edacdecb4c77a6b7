import type { PlatformWorkloadIdentityRoleSet, RoleSetProperties } from "@keelson/model";

/** Of a role set, what decides which identities a cluster must bring. */
export function requiredOperators({
  openShiftVersion,
  platformWorkloadIdentityRoles,
}: RoleSetProperties): PlatformWorkloadIdentityRoleSet {
  return { openShiftVersion, operatorNames: platformWorkloadIdentityRoles.map((role) => role.operatorName) };
}
