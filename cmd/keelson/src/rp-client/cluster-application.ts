import { randomUUID } from "node:crypto";
import type { Principal } from "../state/identity.ts";
import type { AzureApis } from "./azure-calls.ts";

/** ID of the role Network Contributor. Built-in roles have the same ID in every tenant. */
const networkContributor = "4d97b98b-1d4f-4787-a291-c67834d212e7";

export interface ClusterApplicationOptions {
  readonly apis: AzureApis;
  readonly subscriptionId: string;
  readonly displayName: string;
  /** Virtual network for the application's Network Contributor role assignment. Default: no role assignment. */
  readonly virtualNetworkId?: string | undefined;
}

/**
 * Registers an Entra ID application as the identity of a cluster and permits it to use the cluster's network. `az aro create`
 * does the same through Microsoft Graph and Azure Resource Manager.
 * @throws RequestFailed
 */
export async function registerClusterApplication(options: ClusterApplicationOptions): Promise<Principal> {
  const { apis, subscriptionId, displayName, virtualNetworkId } = options;
  const { arm, graph } = apis;
  const post = (path: string, body: object) => graph("POST", `/v1.0/${path}`, body);
  const application = await post("applications", { displayName });
  const { secretText } = await post(`applications/${application.id}/addPassword`, {});
  const { id: principalId } = await post("servicePrincipals", { appId: application.appId });
  if (virtualNetworkId !== undefined) {
    const roles = `${virtualNetworkId}/providers/Microsoft.Authorization`;
    const path = `${roles}/roleAssignments/${randomUUID()}?api-version=2022-04-01`;
    const roleDefinitionId = `/subscriptions/${subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/${networkContributor}`;
    const properties = { roleDefinitionId, principalId, principalType: "ServicePrincipal" };
    await arm("PUT", path, { properties });
  }
  return { clientId: String(application.appId), clientSecret: String(secretText) };
}
