/**
 * Prepares a trial of `keelson deploy` in the simulated Azure (docs/deploy.md, Try it without Azure).
 *
 *     node scripts/simulated-region.ts config DIR      prints the configuration of a region
 *     node scripts/simulated-region.ts secrets DIR     stores the secrets of the region in its key vault
 *
 * DIR is the state directory of `keelson sim --machines --cosmos-port N`.
 */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { httpConnectTimeoutMs } from "@keelson/base";
import { Agent, type Dispatcher, request } from "undici";
import { stringify } from "yaml";

const location = "eastus";
const keyvaultPrefix = "keelson-eus";

interface Endpoints {
  readonly arm: string;
  readonly login: string;
  readonly graph: string;
  readonly caFile: string;
  readonly subscriptionId: string;
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

interface ServiceSettings {
  readonly database: { readonly kind: string };
  readonly firstParty: { readonly clientId: string; readonly clientSecret: string };
  readonly [field: string]: unknown;
}

/** Returns the configuration for `keelson deploy`. Names of global resources must be free in the simulated Azure. */
function configuration(
  { arm, login, graph, caFile, subscriptionId, tenantId }: Endpoints,
  service: ServiceSettings,
  fpServicePrincipalId: string,
): object {
  const { installer, certificateIssuer, managedIdentities, authorizationRetry } = service;
  const { operatorImage, versions, roleSets, database } = service;
  const registry = "providers/Microsoft.ContainerRegistry/registries/keelsonimages";
  return {
    rps: [{ location, subscriptionId, rpResourceGroupName: `rp-${location}` }],
    configuration: {
      azureCloudName: "AzurePublicCloud",
      cloud: {
        armEndpoint: arm,
        loginEndpoint: login,
        audience: "https://management.azure.com/",
        vaultUrl: `${arm}/vaults/{vault}`,
        blobUrl: `${arm}/blobs/{account}`,
        caFile,
      },
      acrResourceId: `/subscriptions/${subscriptionId}/resourceGroups/global/${registry}`,
      rpImagePrefix: "keelsonimages.azurecr.io/keelson",
      adminApiCaBundle: readFileSync(caFile, "utf8"),
      adminApiClientCertCommonName: "admin.example.com",
      clusterParentDomainName: "clusters.example.com",
      rpParentDomainName: "rp.example.com",
      databaseAccountName: "keelson-trial",
      databaseKind: "cosmos",
      fpClientId: service.firstParty.clientId,
      fpServicePrincipalId,
      fpTenantId: tenantId,
      globalSubscriptionId: subscriptionId,
      globalResourceGroupName: "global",
      globalResourceGroupLocation: location,
      subscriptionResourceGroupName: "subscription",
      subscriptionResourceGroupLocation: location,
      keyvaultPrefix,
      oidcStorageAccountName: "keelsonoidc",
      rpVersionStorageAccountName: "keelsonversions",
      rpVmssCapacity: 1,
      vmSize: "Standard_D2s_v3",
      service: {
        // The simulated Azure contains the account as a resource, but serves its documents only at this address.
        database,
        // The machines accept all callers, because they listen on the loopback address.
        callers: { kind: "anyone" },
        host: "127.0.0.1",
        // Time in ms for which a drained machine still accepts requests. It is slightly longer than the simulated load balancer
        // needs to detect that the machine is not ready.
        serveOnMs: 15_000,
        azure: { graphEndpoint: graph, pollIntervalMs: 100 },
        ...{ installer, certificateIssuer, managedIdentities, authorizationRetry },
        ...{ operatorImage, versions, roleSets },
      },
    },
  };
}

/** Returns the secrets that the operator of a real region must provide themselves. */
function operatorSecrets(directory: string, service: ServiceSettings): Readonly<Record<string, string>> {
  const read = (name: string) => readFileSync(join(directory, name), "utf8");
  return {
    "rp-server": read("tls-key.pem") + read("tls.pem"),
    "rp-firstparty": service.firstParty.clientSecret,
  };
}

async function call(agent: Agent, endpoints: Endpoints, scope: string, url: string, body?: object) {
  const { login, tenantId, clientId, clientSecret } = endpoints;
  const form = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret, scope };
  const granted: { readonly access_token: string } = await send(`${login}/${tenantId}/oauth2/v2.0/token`, {
    method: "POST",
    dispatcher: agent,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(form).toString(),
  });
  return send(url, {
    method: body ? "PUT" : "GET",
    dispatcher: agent,
    headers: { authorization: `Bearer ${granted.access_token}`, "content-type": "application/json" },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
}

async function send(
  url: string,
  options: Omit<Dispatcher.RequestOptions, "origin" | "path"> & { readonly dispatcher: Agent },
) {
  const response = await request(url, options);
  const text = await response.body.text();
  if (response.statusCode >= 300) throw new Error(`${options.method} ${url}: ${response.statusCode} ${text}`);
  return JSON.parse(text);
}

async function main([command, directory = ""]: readonly string[]): Promise<void> {
  const endpoints: Endpoints = JSON.parse(readFileSync(join(directory, "endpoints.json"), "utf8"));
  const service: ServiceSettings = JSON.parse(readFileSync(join(directory, "service.json"), "utf8"));
  await using agent = new AgentScope(readFileSync(endpoints.caFile, "utf8"));
  if (command === "config") {
    if (service.database.kind !== "cosmos")
      throw new Error(
        `${directory} has no Cosmos DB account. Start \`keelson sim\` with --cosmos-port 8081.`,
      );
    const query = new URLSearchParams({ $filter: `appId eq '${service.firstParty.clientId}'` });
    const url = `${endpoints.graph}/v1.0/servicePrincipals?${query}`;
    const { value } = await call(agent.agent, endpoints, "https://graph.microsoft.com/.default", url);
    process.stdout.write(stringify(configuration(endpoints, service, value[0]?.id ?? "")));
    return;
  }
  for (const [name, value] of Object.entries(operatorSecrets(directory, service))) {
    const url = `${endpoints.arm}/vaults/${keyvaultPrefix}-svc/secrets/${name}?api-version=7.4`;
    await call(agent.agent, endpoints, "https://vault.azure.net/.default", url, { value });
    console.log(`stored ${name} in ${keyvaultPrefix}-svc`);
  }
}

/** Scope for HTTPS connections that trust one CA. Disposal closes the connections. */
class AgentScope implements AsyncDisposable {
  readonly agent: Agent;

  constructor(ca: string) {
    this.agent = new Agent({ connect: { timeout: httpConnectTimeoutMs, ca } });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.agent.destroy();
  }
}

const [command, directory = "", ...rest] = process.argv.slice(2);
if ((command !== "config" && command !== "secrets") || directory === "" || rest.length > 0) {
  console.error("usage: node scripts/simulated-region.ts config|secrets DIR, for example config .keelson");
  process.exitCode = 2;
} else if (!existsSync(join(directory, "service.json"))) {
  console.error(
    `${directory} has no service.json. Start the simulated Azure: ./keelson sim --machines --cosmos-port 8081 --state ${directory}`,
  );
  process.exitCode = 2;
} else await main([command, directory]);
