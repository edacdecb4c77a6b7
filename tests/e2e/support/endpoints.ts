import { readFileSync } from "node:fs";
import { type Agent, request } from "undici";

/** Contents of `endpoints.json` in a state directory. */
export interface Endpoints {
  readonly rp: string;
  readonly portal: string;
  /** URL of the service's Prometheus metrics. */
  readonly metrics: string;
  readonly arm: string;
  readonly login: string;
  readonly graph: string;
  /** URL of the simulation's administration API. */
  readonly admin: string;
  /** URL of the proxy for Azure's host names and cluster host names. */
  readonly proxy: string;
  /** Address of the DNS server in the form `address:port`. */
  readonly dns: string;
  readonly caFile: string;
  readonly subscriptionId: string;
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** URL of the simulation's console. */
  readonly console?: string;
}

export function readEndpoints(file: string): Endpoints {
  return JSON.parse(readFileSync(file, "utf8"));
}

/** Returns a token for the application in the endpoints. Default scope: the simulated ARM. */
export async function armToken(
  { login, tenantId, clientId, clientSecret }: Endpoints,
  dispatcher: Agent,
  scope = "https://management.azure.com/.default",
): Promise<string> {
  const form = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: clientId,
    client_secret: clientSecret,
    scope,
  });
  const granted = await request(`${login}/${tenantId}/oauth2/v2.0/token`, {
    method: "POST",
    dispatcher,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: form.toString(),
  });
  const text = await granted.body.text();
  if (granted.statusCode !== 200) throw new Error(`no token: ${granted.statusCode} ${text}`);
  const { access_token }: { access_token: string } = JSON.parse(text);
  return access_token;
}
