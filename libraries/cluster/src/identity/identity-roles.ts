import { resourceNameOf, sameResource } from "@keelson/arm";
import { unlessGone } from "@keelson/azure";
import { managedGroupOf } from "@keelson/model";
import type { ClusterContext } from "../context/context.ts";
import { deployTemplate } from "../managed-group/deploy-template.ts";
import { idOf, operatorIdentitiesWithRoles } from "./platform-identities.ts";
import { identityRole } from "./role-templates.ts";

interface Assignment {
  readonly principalId: string;
  readonly roleDefinitionId: string;
}

/**
 * Assigns the required roles on the managed resource group to each operator's identity. Removes role assignments that are no
 * longer required.
 */
export async function ensurePlatformWorkloadIdentityRBAC(context: ClusterContext): Promise<void> {
  const { cluster, subscription } = context;
  const scope = cluster.properties.clusterProfile.resourceGroupId;
  const identities = await operatorIdentitiesWithRoles(context);
  const wanted = identities.flatMap((identity) =>
    identity.roles.map(({ roleDefinitionId }) => ({
      principalId: idOf(identity, "objectId"),
      roleDefinitionId: `/subscriptions/${subscription.id}${roleDefinitionId}`,
    })),
  );
  const there: Assignment[] = [];
  const principalIds = wanted.map(({ principalId }) => principalId);
  for await (const assignment of assignmentsOf(context, principalIds)) {
    if (wanted.some((each) => same(each, assignment))) there.push(assignment);
    else await remove(context, scope, assignment.name);
  }
  const missing = wanted.filter((each) => !there.some((other) => same(each, other)));
  if (missing.length === 0) return;
  const resources = missing.map(({ roleDefinitionId, principalId }) =>
    identityRole(resourceNameOf(roleDefinitionId), principalId),
  );
  await deployTemplate(context, "platformworkloadidentityrbac", resources);
}

/** Removes the principals' role assignments at the scope of the managed resource group. */
export async function removeRolesOf(context: ClusterContext, principalIds: readonly string[]): Promise<void> {
  const scope = context.cluster.properties.clusterProfile.resourceGroupId;
  for await (const { name } of assignmentsOf(context, principalIds)) await remove(context, scope, name);
}

/** Lists the principals' role assignments at the scope of the managed resource group. */
async function* assignmentsOf(
  { cluster, azure, signal }: ClusterContext,
  principalIds: readonly string[],
): AsyncIterable<Assignment & { readonly name: string }> {
  const scope = cluster.properties.clusterProfile.resourceGroupId;
  const own = new Set(principalIds.map((principalId) => principalId.toLowerCase()));
  const listed = azure.authorization.roleAssignments.listForResourceGroup(managedGroupOf(cluster), {
    ...azure.call(signal),
    filter: "atScope()",
  });
  for await (const { scope: at, name, principalId = "", roleDefinitionId = "" } of listed) {
    if (at && name && sameResource(at, scope) && own.has(principalId.toLowerCase())) {
      yield { name, principalId, roleDefinitionId };
    }
  }
}

async function remove({ azure, signal }: ClusterContext, scope: string, name: string): Promise<void> {
  await unlessGone(() => azure.authorization.roleAssignments.delete(scope, name, azure.call(signal)));
}

function same(a: Assignment, b: Assignment): boolean {
  return (
    a.principalId.toLowerCase() === b.principalId.toLowerCase() &&
    sameResource(a.roleDefinitionId, b.roleDefinitionId)
  );
}
