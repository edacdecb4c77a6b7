import { randomUUID } from "node:crypto";
import { type Dispatcher, request } from "undici";
import { cliErrors } from "../output/cli-errors.ts";
import type { Endpoints } from "../state/endpoints.ts";
import type { Principal } from "../state/identity.ts";

/** ID of the role Network Contributor. Built-in roles have the same ID in every tenant. */
const networkContributor = "4d97b98b-1d4f-4787-a291-c67834d212e7";
const arm = "https://management.azure.com";
const graph = "https://graph.microsoft.com";

export interface ClusterApplicationOptions {
  readonly endpoints: Pick<
    Endpoints,
    "arm" | "login" | "graph" | "tenantId" | "subscriptionId" | "clientId" | "clientSecret"
  >;
  readonly displayName: string;
  /** Virtual network for the application's Network Contributor role assignment. Default: no role assignment. */
  readonly virtualNetworkId?: string;
  readonly dispatcher: Dispatcher;
  readonly signal: AbortSignal;
}

/**
 * Registers an Entra ID application as the identity of a cluster and lets it use the cluster's network. `az aro create` does the
 * same through Microsoft Graph and Azure Resource Manager.
 * @throws RequestFailed
 */
export async function registerClusterApplication(options: ClusterApplicationOptions): Promise<Principal> {
  const { endpoints, displayName, virtualNetworkId } = options;
  const directory = `${endpoints.graph}/v1.0`;
  const graphToken = await tokenFor(graph, options);
  const post = (path: string, body: object) =>
    call(`${directory}/${path}`, "POST", graphToken, body, options);
  const application = await post("applications", { displayName });
  const { secretText } = await post(`applications/${application.id}/addPassword`, {});
  const { id: principalId } = await post("servicePrincipals", { appId: application.appId });
  if (virtualNetworkId !== undefined) {
    const roles = `${virtualNetworkId}/providers/Microsoft.Authorization`;
    const url = `${endpoints.arm}${roles}/roleAssignments/${randomUUID()}?api-version=2022-04-01`;
    const roleDefinitionId = `/subscriptions/${endpoints.subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/${networkContributor}`;
    const properties = { roleDefinitionId, principalId, principalType: "ServicePrincipal" };
    await call(url, "PUT", await tokenFor(arm, options), { properties }, options);
  }
  return { clientId: String(application.appId), clientSecret: String(secretText) };
}

async function tokenFor(resource: string, options: ClusterApplicationOptions): Promise<string> {
  const { login, tenantId, clientId, clientSecret } = options.endpoints;
  const form = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: clientId,
    client_secret: clientSecret,
    scope: `${resource}/.default`,
  });
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const url = `${login}/${tenantId}/oauth2/v2.0/token`;
  const { access_token } = await send(url, "POST", headers, form.toString(), options);
  return String(access_token);
}

function call(url: string, method: "POST" | "PUT", token: string, body: object, how: Sending) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return send(url, method, headers, JSON.stringify(body), how);
}

type Sending = Pick<ClusterApplicationOptions, "dispatcher" | "signal">;

async function send(
  url: string,
  method: "POST" | "PUT",
  headers: Readonly<Record<string, string>>,
  body: string,
  { dispatcher, signal }: Sending,
): Promise<Readonly<Record<string, unknown>>> {
  const response = await request(url, { method, headers, body, dispatcher, signal });
  const text = await response.body.text();
  if (response.statusCode < 300) return JSON.parse(text);
  const { pathname } = new URL(url);
  throw cliErrors.RequestFailed(`${method} ${pathname} answered ${response.statusCode}: ${text.trim()}`);
}
