import { resourceNameOf, sameResource } from "@keelson/arm";
import { unlessGone } from "@keelson/azure";
import { managedGroupOf } from "@keelson/model";
import type { ClusterContext } from "../context/context.ts";
import { spObjectIdOf } from "../credentials/service-principal.ts";
import { deployTemplate } from "../managed-group/deploy-template.ts";
import { ownsGroup } from "../removal/delete-resources.ts";
import { builtInRoles, servicePrincipalRole } from "./role-templates.ts";

/**
 * Assigns the Contributor role on the managed resource group to the cluster's service principal. Removes all other role
 * assignments in this group except those of the Owner role (Azure/ARO-RP pkg/cluster/clusterserviceprincipal.go).
 */
export async function createOrUpdateClusterServicePrincipalRBAC(context: ClusterContext): Promise<void> {
  const principalId = spObjectIdOf(context.cluster);
  let isThere = false;
  for await (const assignment of ownAssignments(context)) {
    const { roleDefinitionId = "" } = assignment;
    const isWanted =
      assignment.principalId?.toLowerCase() === principalId.toLowerCase() &&
      roleDefinitionId.toLowerCase().endsWith(builtInRoles.contributor);
    if (isWanted) isThere = true;
    else await remove(context, assignment);
  }
  await deleteRoleDefinitions(context);
  if (!isThere) await deployTemplate(context, "clustersp", [servicePrincipalRole(principalId)]);
}

/** Removes role assignments at the scope of the managed resource group, except assignments of the Owner role. */
export async function deleteRoleAssignments(context: ClusterContext): Promise<void> {
  if (!(await ownsGroup(context))) return;
  for await (const assignment of ownAssignments(context)) await remove(context, assignment);
}

/** Removes role definitions that exist only for this resource group. */
export async function deleteOwnRoleDefinitions(context: ClusterContext): Promise<void> {
  if (await ownsGroup(context)) await deleteRoleDefinitions(context);
}

const definitionPrefix = "Azure Red Hat OpenShift cluster";

/** Removes the role definitions that earlier releases created for this resource group. */
async function deleteRoleDefinitions(context: ClusterContext): Promise<void> {
  const { cluster, azure, signal } = context;
  const scope = cluster.properties.clusterProfile.resourceGroupId;
  const call = azure.call(signal);
  for await (const definition of azure.authorization.roleDefinitions.list(scope, call)) {
    const { name, roleName = "", assignableScopes = [] } = definition;
    const isOwn = assignableScopes.length === 1 && sameResource(assignableScopes[0] ?? "", scope);
    if (name && isOwn && roleName.startsWith(definitionPrefix))
      await unlessGone(() => azure.authorization.roleDefinitions.delete(scope, name, call));
  }
}

/**
 * Returns a function that checks role assignments at the scope of the managed resource group. The function returns true if the
 * principal has the role with the given definition name.
 */
export async function assignedRoles(
  context: ClusterContext,
): Promise<(principalId: string, roleId: string) => boolean> {
  const keyOf = (principalId = "", roleDefinitionId = "") =>
    `${principalId} ${resourceNameOf(roleDefinitionId)}`.toLowerCase();
  const there = new Set<string>();
  for await (const { principalId, roleDefinitionId } of ownAssignments(context)) {
    there.add(keyOf(principalId, roleDefinitionId));
  }
  return (principalId, roleId) => there.has(keyOf(principalId, roleId));
}

interface Assignment {
  readonly name: string;
  readonly principalId?: string;
  readonly roleDefinitionId?: string;
}

/** Lists role assignments at the scope of the managed resource group, except assignments of the Owner role. */
async function* ownAssignments({ cluster, azure, signal }: ClusterContext): AsyncIterable<Assignment> {
  const groupId = cluster.properties.clusterProfile.resourceGroupId;
  const listed = azure.authorization.roleAssignments.listForResourceGroup(
    managedGroupOf(cluster),
    azure.call(signal),
  );
  for await (const { scope, name, principalId, roleDefinitionId } of listed) {
    if (!scope || !name || !sameResource(scope, groupId)) continue;
    if (roleDefinitionId?.toLowerCase().endsWith(builtInRoles.owner)) continue;
    yield {
      name,
      ...(principalId ? { principalId } : {}),
      ...(roleDefinitionId ? { roleDefinitionId } : {}),
    };
  }
}

async function remove({ cluster, azure, signal }: ClusterContext, { name }: Assignment): Promise<void> {
  const scope = cluster.properties.clusterProfile.resourceGroupId;
  await unlessGone(() => azure.authorization.roleAssignments.delete(scope, name, azure.call(signal)));
}
