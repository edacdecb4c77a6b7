import { CloudError, providerNamespace } from "@keelson/arm";
import type { PlatformWorkloadIdentityRoleSet, RoleSetProperties } from "@keelson/model";
import { paths } from "../http/messages/paths.ts";
import { versionSince } from "../http/messages/version-rule.ts";
import type { Route } from "../http/route.ts";

/** Lists the roles that clusters' managed identities need, ordered by OpenShift minor version. */
export const listRoleSets: Route = {
  method: "GET",
  path: paths.roleSets,
  versions: versionSince("2024-08-12-preview"),
  async handle({ signal }, { catalogue }) {
    const roleSets = await catalogue.roleSets(signal);
    return { status: 200, body: { value: roleSets.map(externalRoleSet) } };
  },
};

export const getRoleSet: Route = {
  method: "GET",
  path: paths.roleSet,
  versions: versionSince("2024-08-12-preview"),
  async handle(request, { catalogue }) {
    const minor = request.parameter("openShiftMinorVersion");
    const found = (await catalogue.roleSets(request.signal)).find((each) => each.openShiftVersion === minor);
    if (found) return { status: 200, body: externalRoleSet(found) };
    throw new CloudError(
      "ResourceNotFound",
      `The Resource platformWorkloadIdentityRoleSet with version '${minor}' was not found in the namespace '${request.parameter("namespace")}' for api version '${request.apiVersion}'.`,
      // Clients expect 400 for an unknown version instead of 404: Azure/ARO-RP
      // pkg/frontend/platformworkloadidentityroleset_get.go.
      { status: 400 },
    );
  },
};

const type = `${providerNamespace}/PlatformWorkloadIdentityRoleSet`;

/** Returns a role set in the customer API format, without internal properties. */
function externalRoleSet({ openShiftVersion, platformWorkloadIdentityRoles }: RoleSetProperties): object {
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

/** Returns a role set in the admin API format. */
export function adminRoleSet(properties: RoleSetProperties): object {
  return { name: properties.openShiftVersion, type, properties };
}

/** Returns the properties of a role set that determine which identities a cluster must have. */
export function requiredOperators({
  openShiftVersion,
  platformWorkloadIdentityRoles,
}: RoleSetProperties): PlatformWorkloadIdentityRoleSet {
  return { openShiftVersion, operatorNames: platformWorkloadIdentityRoles.map((role) => role.operatorName) };
}
