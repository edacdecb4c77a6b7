import { readFileSync } from "node:fs";
import { type Agent, request } from "undici";

/** Contents of `endpoints.json` in a state directory. */
export interface Endpoints {
  readonly rp: string;
  readonly portal: string;
  /** Prometheus metrics of the service. */
  readonly metrics: string;
  readonly arm: string;
  readonly login: string;
  readonly graph: string;
  /** Port of the simulated world itself. */
  readonly admin: string;
  /** URL of the proxy for Azure's own names and the names of clusters. */
  readonly proxy: string;
  /** `address:port` of the DNS server. */
  readonly dns: string;
  readonly caFile: string;
  readonly subscriptionId: string;
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export function readEndpoints(file: string): Endpoints {
  return JSON.parse(readFileSync(file, "utf8"));
}

/** Returns a token for the simulated ARM or a different scope, for the application of the endpoints. */
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
