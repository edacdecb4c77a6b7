import { createHash } from "node:crypto";
import { resourceGroupId, resourceNameOf } from "@keelson/arm";
import { stringAt } from "@keelson/base";
import type { ClusterRef } from "../options/cluster-ref.ts";
import { embedded } from "../state/embedded-defaults.ts";
import type { AzureApis, CallAzure } from "./azure-calls.ts";
import { type ClusterIdentities, embeddedNetworkId } from "./cluster-request.ts";

/** ID of the role Azure Red Hat OpenShift Federated Credential. */
const federatedCredential = "ef318e2a-8334-4a05-9e4a-295a196c6a6e";

/** Azure role of an operator, from the service's role sets. */
export interface OperatorRole {
  readonly operatorName: string;
  readonly roleDefinitionId: string;
}

export interface IdentityOptions {
  readonly apis: AzureApis;
  readonly subscriptionId: string;
  readonly roles: readonly OperatorRole[];
}

/**
 * Creates the managed identities of a cluster in its resource group. Assigns each operator identity its role on the network.
 * Assigns the cluster identity its role on each operator identity. Idempotent.
 * @throws RequestFailed
 */
export async function createIdentities(
  { name, resourceGroup }: ClusterRef,
  { apis: { arm }, subscriptionId, roles }: IdentityOptions,
): Promise<ClusterIdentities> {
  const directory = `${resourceGroupId(subscriptionId, resourceGroup)}/providers/Microsoft.ManagedIdentity/userAssignedIdentities`;
  const definitions = `/subscriptions/${subscriptionId}/providers/Microsoft.Authorization/roleDefinitions`;
  const cluster = `${directory}/${name}-cluster`;
  const clusterPrincipal = await createIdentity(arm, cluster);
  const operators: Record<string, string> = {};
  for (const { operatorName, roleDefinitionId } of roles) {
    const id = `${directory}/${name}-${operatorName}`;
    const principal = await createIdentity(arm, id);
    const role = `${definitions}/${resourceNameOf(roleDefinitionId)}`;
    await assignRole(arm, embeddedNetworkId(subscriptionId), role, principal);
    await assignRole(arm, id, `${definitions}/${federatedCredential}`, clusterPrincipal);
    operators[operatorName] = id;
  }
  return { cluster, operators };
}

async function createIdentity(arm: CallAzure, id: string): Promise<string> {
  const created = await arm("PUT", `${id}?api-version=2023-01-31`, { location: embedded.location });
  return stringAt(created, "properties", "principalId") ?? "";
}

async function assignRole(
  arm: CallAzure,
  scope: string,
  roleDefinitionId: string,
  principalId: string,
): Promise<void> {
  const name = assignmentName(`${scope} ${roleDefinitionId} ${principalId}`.toLowerCase());
  const path = `${scope}/providers/Microsoft.Authorization/roleAssignments/${name}?api-version=2022-04-01`;
  await arm("PUT", path, {
    properties: { roleDefinitionId, principalId, principalType: "ServicePrincipal" },
  });
}

/** Returns the UUID of a role assignment. The UUID depends only on the assignment, so that a repeated request changes nothing. */
function assignmentName(assignment: string): string {
  const hash = createHash("sha256").update(assignment).digest("hex");
  return hash.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");
}
