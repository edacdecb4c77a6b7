import { createHash } from "node:crypto";
import { sameResource } from "@keelson/arm";
import { azureErrorCode, isNotFound } from "@keelson/azure";
import type { ClusterContext } from "../context.ts";
import { managedGroupOf } from "./cluster-facts.ts";
import { ownsGroup } from "./delete-resources.ts";

/** Built-in roles, by the IDs that they have in every tenant. */
const roles = {
  owner: "8e3af657-a8ff-443c-a75c-2fe8c4bcb635",
  contributor: "b24988ac-6180-42a0-ab88-20f7382dd24c",
} as const;

/** Makes the cluster's service principal a contributor of the managed group. */
export async function createClusterServicePrincipalRBAC(context: ClusterContext): Promise<void> {
  const { cluster, azure, signal, subscription } = context;
  const scope = cluster.properties.clusterProfile.resourceGroupId;
  const principalId = cluster.properties.servicePrincipalProfile?.spObjectId;
  if (!principalId) throw new Error("the service principal's object ID is not known yet");
  const roleDefinitionId = `/subscriptions/${subscription.id}/providers/Microsoft.Authorization/roleDefinitions/${roles.contributor}`;
  try {
    await azure.authorization.roleAssignments.create(
      scope,
      stableUuid(scope, principalId, "SP / Contributor"),
      { principalId, roleDefinitionId, principalType: "ServicePrincipal" },
      azure.call(signal),
    );
  } catch (error) {
    if (azureErrorCode(error) !== "RoleAssignmentExists") throw error;
  }
}

/** Removes the rights given on the managed group itself, except those of its owners. */
export async function deleteRoleAssignments(context: ClusterContext): Promise<void> {
  if (!(await ownsGroup(context))) return;
  const { cluster, azure, signal } = context;
  const groupId = cluster.properties.clusterProfile.resourceGroupId;
  const assignments = azure.authorization.roleAssignments.listForResourceGroup(
    managedGroupOf(cluster),
    azure.call(signal),
  );
  for await (const { scope, name, roleDefinitionId } of assignments) {
    if (!scope || !name || !sameResource(scope, groupId)) continue;
    if (roleDefinitionId?.toLowerCase().endsWith(roles.owner)) continue;
    try {
      await azure.authorization.roleAssignments.delete(scope, name, azure.call(signal));
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}

/** The same UUID for the same texts, so that a second try names the same assignment. */
function stableUuid(...texts: readonly string[]): string {
  const hex = createHash("sha256").update(texts.join("\n").toLowerCase()).digest("hex");
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `5${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
  return [...parts, hex.slice(20, 32)].join("-");
}
