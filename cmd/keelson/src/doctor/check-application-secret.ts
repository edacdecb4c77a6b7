import { accessToken, findAzureCloud } from "@keelson/azure";
import { http1Only, httpConnectTimeoutMs, isPlainObject, messageOf } from "@keelson/base";
import { serviceAccount } from "@keelson/env";
import { Agent, request } from "undici";
import { daysUntil, type Finding, failed, ok, skipped, soonDays, warning } from "./finding.ts";
import type { Installation } from "./installation.ts";

const check = "secret of firstParty";
const publicGraph = "https://graph.microsoft.com";
const maxBytes = 1024 * 1024;

/**
 * Checks the expiry of the application's client secret in Microsoft Graph. Returns no finding if the cloud's Graph endpoint is
 * unknown, or if the application uses a certificate.
 */
export async function checkApplicationSecret(installation: Installation): Promise<readonly Finding[]> {
  const { config, signal } = installation;
  const { armEndpoint, graphEndpoint } = config.azure;
  const graph =
    graphEndpoint ?? (findAzureCloud(armEndpoint)?.name === "AzurePublicCloud" ? publicGraph : undefined);
  const { clientSecret } = config.firstParty;
  if (graph === undefined || clientSecret === undefined) return [];
  try {
    return [await findingOf(installation, graph, clientSecret)];
  } catch (error) {
    signal.throwIfAborted();
    return [skipped(check, `its expiry cannot be read from ${graph}: ${messageOf(error).slice(0, 300)}`)];
  }
}

async function findingOf(
  { config, clock, signal }: Installation,
  graph: string,
  clientSecret: string,
): Promise<Finding> {
  const { clientId } = config.firstParty;
  const ends = secretEnds(await readApplication(config, graph, signal), clientSecret);
  if (ends === undefined)
    return skipped(check, `Microsoft Graph has no secret of application ${clientId} with an end`);
  const days = daysUntil(ends, clock);
  const until = ends.toISOString().slice(0, 10);
  const remedy = `add a secret to application ${clientId} (az ad app credential reset --append), then change firstParty.clientSecret`;
  const command = `az ad app credential reset --append --id ${clientId}`;
  if (days < 0) return failed(check, `ended on ${until}`, remedy, command);
  if (days < soonDays) return warning(check, `ends in ${days} days, on ${until}`, remedy, command);
  return ok(check, `valid until ${until}`);
}

/**
 * Returns the application object from Microsoft Graph.
 * @throws Error with the HTTP status, for example 403 without `Application.Read.All`
 */
async function readApplication(
  config: Installation["config"],
  graph: string,
  signal: AbortSignal,
): Promise<unknown> {
  const { azure, signedIn } = serviceAccount(config);
  const audience = azure.graphAudience ?? publicGraph;
  const token = await accessToken(signedIn.tokens, azure, config.tenantId, signal, audience);
  const url = new URL("/v1.0/applications", graph);
  url.searchParams.set("$filter", `appId eq '${config.firstParty.clientId.replaceAll("'", "''")}'`);
  const agent = new Agent({ ...http1Only, connect: { timeout: httpConnectTimeoutMs, ca: azure.caPem } });
  try {
    const { statusCode, body } = await request(url, {
      dispatcher: agent,
      headers: { authorization: `Bearer ${token}` },
      signal,
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new Error("the response is too large");
      chunks.push(chunk);
    }
    const text = Buffer.concat(chunks).toString("utf8");
    if (statusCode !== 200)
      throw new Error(
        statusCode === 403
          ? "403. Grant the application Application.Read.All, or see the expiry in Entra ID"
          : `status ${statusCode}`,
      );
    const value: unknown = JSON.parse(text);
    return isPlainObject(value) && Array.isArray(value.value) ? value.value[0] : undefined;
  } finally {
    await agent.destroy();
  }
}

/**
 * Returns the latest expiry of the registered secrets that match `secret`, or of all secrets if no secret matches. A secret
 * matches if `secret` starts with its hint. Microsoft Graph returns the first three characters of a secret as the hint.
 */
function secretEnds(application: unknown, secret: string): Date | undefined {
  const list: unknown = Object(application).passwordCredentials;
  const credentials = (Array.isArray(list) ? list : []).filter(isPlainObject);
  const ours = credentials.filter(
    ({ hint }) => typeof hint === "string" && hint === secret.slice(0, hint.length),
  );
  const times = (ours.length > 0 ? ours : credentials)
    .map(({ endDateTime }) => Date.parse(String(endDateTime)))
    .filter((time) => !Number.isNaN(time));
  return times.length === 0 ? undefined : new Date(Math.max(...times));
}
