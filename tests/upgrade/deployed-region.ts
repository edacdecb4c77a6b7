import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { httpConnectTimeoutMs } from "@keelson/base";
import { Agent, request } from "undici";
import { ArmClient } from "../e2e/support/arm-client.ts";
import { armToken, type Endpoints, readEndpoints } from "../e2e/support/endpoints.ts";
import { Fleet } from "../e2e/support/fleet.ts";

const ownProgram = join(import.meta.dirname, "..", "..", "cmd", "keelson", "src", "main.ts");
const vault = "keelson-eus-svc";
/** Processes of the service on one machine: resource provider, two for maintenance, monitor and portal. */
const processesPerMachine = 5;
/** Default `database.maxConnections`, plus the connections for notifications and for the commit probe. */
const connectionsPerProcess = 10 + 2;
const connectionsOfTest = 10;
const graphScope = "https://graph.microsoft.com/.default";
const vaultScope = "https://vault.azure.net/.default";

export interface DeployedRegionOptions {
  /** Names of the clusters for which subnets are created. */
  readonly names: readonly string[];
  /** `main.ts` paths of the other versions. */
  readonly programs: Readonly<Record<string, string>>;
  readonly machines: number;
  /** Gateway properties of the configuration. Default: no gateway. */
  readonly gateway?: object;
}

/**
 * Message of `keelson deploy` if the administrator has not added the required secrets yet. Matches the messages of all tested
 * versions.
 */
const lacksSecrets = /lacks (secrets that only you can provide|what only you can give)/;

/** Simulated Azure region to which `keelson deploy` deploys versions. Its machines are processes behind one port. */
export class DeployedRegion implements AsyncDisposable {
  readonly fleet: Fleet;
  readonly client: ArmClient;
  readonly #endpoints: Endpoints;
  readonly #agent: Agent;
  readonly #options: DeployedRegionOptions;

  private constructor(fleet: Fleet, options: DeployedRegionOptions) {
    this.fleet = fleet;
    this.#options = options;
    this.#endpoints = readEndpoints(fleet.state.file("endpoints.json"));
    this.#agent = new Agent({
      connect: { timeout: httpConnectTimeoutMs, ca: readFileSync(this.#endpoints.caFile, "utf8") },
    });
    this.client = this.newClient();
  }

  static async start(options: DeployedRegionOptions): Promise<DeployedRegion> {
    const programs = Object.entries(options.programs).flatMap(([tag, script]) => [
      "--machine-program",
      `${tag}=${script}`,
    ]);
    // The machines of two versions run at the same time, as calculated in docs/database.md.
    const ofVersion = options.machines * processesPerMachine * connectionsPerProcess;
    const fleet = await Fleet.start({
      names: options.names,
      worldFlags: ["--machines", ...programs],
      postgres: { maxConnections: 2 * ofVersion + connectionsOfTest },
    });
    const region = new DeployedRegion(fleet, options);
    try {
      await region.writeConfig(options.gateway);
      return region;
    } catch (error) {
      await region[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Creates an ARM client that connects through the load balancer. It shares no connections with other clients. */
  newClient(): ArmClient {
    return new ArmClient(this.fleet.state.file("endpoints.json"));
  }

  /** URL of the portal behind the load balancer. */
  get portal(): string {
    return this.#endpoints.portal;
  }

  get sshPort(): number {
    const { ssh }: { ssh: number } = JSON.parse(readFileSync(this.fleet.state.file("ports.json"), "utf8"));
    return ssh;
  }

  get caPem(): string {
    return readFileSync(this.#endpoints.caFile, "utf8");
  }

  /** Deploys a version with the program of this version. If secrets are missing, adds them and deploys again. */
  async deploy(version: string, signal: AbortSignal): Promise<string> {
    const first = await this.#keelsonDeploy(version, signal);
    if (!lacksSecrets.test(first.stderr)) return succeeded(first);
    await this.#giveSecrets();
    return succeeded(await this.#keelsonDeploy(version, signal));
  }

  /** Runs a deployment that must fail. Returns its error output. `wait` limits the time for new machines. */
  async failDeploy(version: string, wait: string, signal: AbortSignal): Promise<string> {
    const outcome = await this.#keelsonDeploy(version, signal, "--wait", wait);
    assert.ok(outcome.failed, outcome.stdout);
    return outcome.stderr;
  }

  /** Returns the resource provider's process ID on each machine of a version, in machine order. */
  async providerProcesses(version: string): Promise<readonly (number | undefined)[]> {
    const directory = this.fleet.state.file("machines");
    const machines = (await readdir(directory)).filter((name) => name.startsWith(`rp-vmss-${version}_`));
    return machines.toSorted().map((name) => {
      try {
        return Number(readFileSync(join(directory, name, "keelson-rp.service.pid"), "utf8"));
      } catch {
        return undefined; // The process is not running now.
      }
    });
  }

  async #keelsonDeploy(version: string, signal: AbortSignal, ...flags: readonly string[]): Promise<Outcome> {
    const { clientId, clientSecret, tenantId } = this.#endpoints;
    const env = {
      ...process.env,
      AZURE_CLIENT_ID: clientId,
      AZURE_CLIENT_SECRET: clientSecret,
      AZURE_TENANT_ID: tenantId,
    };
    const earlier = this.#options.programs[version];
    const config = this.fleet.state.file(earlier === undefined ? "region.json" : "earlier-region.json");
    const script = earlier ?? ownProgram;
    const args = [script, "deploy", config, "eastus", "--build", version, "-o", "json", ...flags];
    return new Promise((resolve) => {
      execFile(process.execPath, args, { env, signal }, (error, stdout, stderr) =>
        resolve({ failed: error !== null, stdout, stderr }),
      );
    });
  }

  /** Writes the region's configuration with these gateway properties. Earlier versions support neither gateway nor portal. */
  async writeConfig(gateway?: object): Promise<void> {
    const { arm, login, graph, portal, caFile, subscriptionId, tenantId } = this.#endpoints;
    const embedded = JSON.parse(readFileSync(this.fleet.state.file("service.json"), "utf8"));
    const { installer, certificateIssuer, managedIdentities, authorizationRetry } = embedded;
    const { operatorImage, versions, roleSets } = embedded;
    const group = "subscription";
    const configuration = {
      acrResourceId: `/subscriptions/${subscriptionId}/resourceGroups/global/providers/Microsoft.ContainerRegistry/registries/keelsonimages`,
      adminApiCaBundle: readFileSync(caFile, "utf8"),
      adminApiClientCertCommonName: "admin.example.com",
      azureCloudName: "AzurePublicCloud",
      clusterParentDomainName: "clusters.example.com",
      databaseAccountName: "keelson-documents",
      databaseKind: "postgres",
      fpClientId: embedded.firstParty.clientId,
      fpServicePrincipalId: await this.#servicePrincipalOf(embedded.firstParty.clientId),
      fpTenantId: tenantId,
      globalResourceGroupLocation: "eastus",
      globalResourceGroupName: "global",
      globalSubscriptionId: subscriptionId,
      keyvaultPrefix: "keelson-eus",
      oidcStorageAccountName: "keelsonoidc",
      rpImagePrefix: "keelsonimages.azurecr.io/keelson",
      rpParentDomainName: "rp.example.com",
      rpVersionStorageAccountName: "keelsonversions",
      rpVmssCapacity: this.#options.machines,
      subscriptionResourceGroupLocation: "eastus",
      subscriptionResourceGroupName: group,
      vmSize: "Standard_D2s_v3",
      cloud: {
        armEndpoint: arm,
        loginEndpoint: login,
        audience: "https://management.azure.com/",
        vaultUrl: `${arm}/vaults/{vault}`,
        blobUrl: `${arm}/blobs/{account}`,
        caFile,
      },
      service: {
        ...{ installer, certificateIssuer, managedIdentities, authorizationRetry },
        ...{ operatorImage, versions, roleSets },
        // Milliseconds for which a stopping process continues to serve. The load balancer needs slightly less time to detect that
        // the process is stopping.
        serveOnMs: 15_000,
        host: "127.0.0.1",
        callers: { kind: "anyone" },
        azure: { graphEndpoint: graph, pollIntervalMs: 100 },
        database: { kind: "postgres", url: this.fleet.databaseUrl },
      },
    };
    const region = { location: "eastus", subscriptionId, rpResourceGroupName: "rp-eastus" };
    const write = (name: string, value: object) =>
      writeFileSync(this.fleet.state.file(name), JSON.stringify(value), { mode: 0o600 });
    write("earlier-region.json", { rps: [region], configuration });
    const { groups, clientId } = embedded.portal.signIn;
    const here = { url: portal, host: "127.0.0.1" };
    const ssh = { host: "127.0.0.1", port: embedded.portal.ssh.port, proxy: embedded.portal.ssh.proxy };
    write("region.json", {
      rps: [{ ...region, ...(gateway ? { gatewayResourceGroupName: "gateway-eastus" } : {}) }],
      configuration: {
        ...configuration,
        // The gateway reads documents from Cosmos DB, although the service uses PostgreSQL.
        ...(gateway ? { gateway, gatewayVmssCapacity: 1, databaseKind: "cosmos" } : {}),
        portalClientId: clientId,
        portalAccessGroupIds: groups.access,
        portalOperatorGroupIds: groups.operator,
        portalElevatedGroupIds: groups.elevated,
        rpNsgPortalSourceAddressPrefixes: ["192.0.2.0/24"],
        service: { ...configuration.service, portal: { ...here, ssh } },
      },
    });
  }

  async #servicePrincipalOf(appId: string): Promise<string> {
    const query = new URLSearchParams({ $filter: `appId eq '${appId}'` });
    const url = `${this.#endpoints.graph}/v1.0/servicePrincipals?${query}`;
    const response = await this.#call("GET", url, graphScope);
    const { value }: { value: { id: string }[] } = JSON.parse(response);
    return value[0]?.id ?? "";
  }

  async #giveSecrets(): Promise<void> {
    const read = (name: string) => readFileSync(this.fleet.state.file(name), "utf8");
    const { firstParty } = JSON.parse(read("service.json"));
    const secrets = {
      "rp-server": read("tls-key.pem") + read("tls.pem"),
      "rp-firstparty": firstParty.clientSecret,
      "portal-server": read("tls-key.pem") + read("tls.pem"),
      "portal-client": read("portal-client-key.pem") + read("portal-client.pem"),
    };
    for (const [name, value] of Object.entries(secrets)) {
      const url = `${this.#endpoints.arm}/vaults/${vault}/secrets/${name}?api-version=7.4`;
      await this.#call("PUT", url, vaultScope, { value });
    }
  }

  async #call(method: "GET" | "PUT", url: string, scope: string, body?: object): Promise<string> {
    const token = await armToken(this.#endpoints, this.#agent, scope);
    const response = await request(url, {
      method,
      dispatcher: this.#agent,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.body.text();
    assert.ok(response.statusCode < 300, `${method} ${url}: ${response.statusCode} ${text}`);
    return text;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client[Symbol.asyncDispose]();
    await this.#agent.destroy();
    await this.fleet[Symbol.asyncDispose]();
  }
}

interface Outcome {
  readonly failed: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

function succeeded({ failed, stdout, stderr }: Outcome): string {
  assert.ok(!failed, stderr);
  return stdout;
}
