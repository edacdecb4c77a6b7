import { type Dispatcher, request } from "undici";
import { cliErrors } from "../output/cli-errors.ts";
import { type PlannedRequest, returnedEarlier } from "../output/planned-requests.ts";
import type { Endpoints } from "../state/endpoints.ts";

export type AzureApi = "arm" | "graph";

const audiences: Readonly<Record<AzureApi, string>> = {
  arm: "https://management.azure.com",
  graph: "https://graph.microsoft.com",
};

export interface AzureAccess {
  readonly endpoints: Pick<Endpoints, "arm" | "login" | "graph" | "tenantId" | "clientId" | "clientSecret">;
  readonly dispatcher: Dispatcher;
  readonly signal: AbortSignal;
}

type Fields = Readonly<Record<string, unknown>>;

/** Sends a request to Azure Resource Manager or Microsoft Graph, and returns the response's fields. @throws RequestFailed */
export type CallAzure = (method: "POST" | "PUT", path: string, body: object) => Promise<Fields>;

/** Functions that call the Azure APIs as the instance's user, by API. */
export type AzureApis = Readonly<Record<AzureApi, CallAzure>>;

/** Returns functions that call Azure. Each function requests an access token at its first call. */
export function azureApis(access: AzureAccess): AzureApis {
  return { arm: callsOf("arm", access), graph: callsOf("graph", access) };
}

/** Returns functions that record requests in `planned` without sending them. Their results are placeholders. */
export function plannedApis(
  endpoints: Pick<Endpoints, "arm" | "graph">,
  planned: PlannedRequest[],
): AzureApis {
  const record =
    (api: AzureApi): CallAzure =>
    async (method, path, body) => {
      planned.push({ method, url: `${endpoints[api]}${path}`, body });
      const value = returnedEarlier;
      return { id: value, appId: value, secretText: value, properties: { principalId: value } };
    };
  return { arm: record("arm"), graph: record("graph") };
}

function callsOf(api: AzureApi, access: AzureAccess): CallAzure {
  let token: Promise<string> | undefined;
  return async (method, path, body) => {
    token ??= tokenFor(audiences[api], access);
    const headers = { authorization: `Bearer ${await token}`, "content-type": "application/json" };
    return send(`${access.endpoints[api]}${path}`, method, headers, JSON.stringify(body), access);
  };
}

async function tokenFor(resource: string, access: AzureAccess): Promise<string> {
  const { login, tenantId, clientId, clientSecret } = access.endpoints;
  const form = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: clientId,
    client_secret: clientSecret,
    scope: `${resource}/.default`,
  });
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const url = `${login}/${tenantId}/oauth2/v2.0/token`;
  const { access_token } = await send(url, "POST", headers, form.toString(), access);
  return String(access_token);
}

async function send(
  url: string,
  method: "POST" | "PUT",
  headers: Readonly<Record<string, string>>,
  body: string,
  { dispatcher, signal }: Pick<AzureAccess, "dispatcher" | "signal">,
): Promise<Fields> {
  const response = await request(url, { method, headers, body, dispatcher, signal });
  const text = await response.body.text();
  if (response.statusCode < 300) return JSON.parse(text);
  const { pathname } = new URL(url);
  throw cliErrors.RequestFailed(
    `${method} ${pathname} returned status ${response.statusCode}: ${text.trim()}`,
  );
}
