import { providerNamespace } from "@keelson/arm";
import type { RoleSetProperties } from "@keelson/model";

const type = `${providerNamespace}/PlatformWorkloadIdentityRoleSet`;

/** A role set as customers see it: without what is the cluster's own affair. */
export function externalRoleSet({
  openShiftVersion,
  platformWorkloadIdentityRoles,
}: RoleSetProperties): object {
  return {
    name: openShiftVersion,
    type,
    properties: {
      openShiftVersion,
      platformWorkloadIdentityRoles: platformWorkloadIdentityRoles.map(
        ({ operatorName, roleDefinitionName, roleDefinitionId }) => ({
          operatorName,
          roleDefinitionName,
          roleDefinitionId,
        }),
      ),
    },
  };
}

/** A role set as administrators see and send it. */
export function adminRoleSet(properties: RoleSetProperties): object {
  return { name: properties.openShiftVersion, type, properties };
}
