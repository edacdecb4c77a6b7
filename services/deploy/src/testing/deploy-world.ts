import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectBlobContainer, connectVault, signIn, type WritableVaultSecrets } from "@keelson/azure";
import { isPlainObject, Secret, silentLogger } from "@keelson/base";
import {
  clientId,
  clientSecret,
  localCertificates,
  startTestAzure,
  subscriptionId,
  type TestAzure,
  tenantId,
} from "@keelson/sim-azure/testing";
import type { Region } from "../config/configuration.ts";
import { resolveRegion } from "../config/resolve-region.ts";
import { connectRegion } from "../connect.ts";
import type { DeployContext, Progress } from "../flow/context.ts";
import type { HostSettings } from "../host/host-settings.ts";
import { portalSecretNames } from "../host/portal-settings.ts";
import { secretNames } from "../host/service-settings.ts";
import { exampleConfiguration, exampleRegion } from "./example-region.ts";
import { PollingClock } from "./polling-clock.ts";

const signal = AbortSignal.timeout(900_000);
const contributorRole = "b24988ac-6180-42a0-ab88-20f7382dd24c";
const accessAdministratorRole = "18d7d88d-d35e-4fb5-a5c3-7773c20a72d9";
const applicationId = exampleConfiguration.fpClientId;

/** Simulated Azure for deployment tests. */
export interface DeployWorld extends AsyncDisposable {
  readonly azure: TestAzure;
  readonly clock: PollingClock;
  region(change?: object, configuration?: object): Region;
  context(region: Region, version: string, options?: ContextOptions): DeployContext;
  /** Adds the secrets that the operator must provide: certificates and the application's client secret. */
  giveSecrets(region: Region): Promise<void>;
  /** Returns a vault client with the managed identity that a machine with `settings` uses. */
  machineVault(settings: HostSettings): WritableVaultSecrets;
  /**
   * Returns all resources that have a location, as sorted strings. Each string contains the resource group, followed by
   * `type/name`.
   */
  inventory(): Promise<readonly string[]>;
  /** Returns the published version for a location. Undefined if no version is published. */
  published(region: Region): Promise<string | undefined>;
}

interface ContextOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

export async function startDeployWorld(): Promise<DeployWorld> {
  const stack = new AsyncDisposableStack();
  const directory = mkdtempSync(join(tmpdir(), "keelson-deploy-"));
  stack.defer(() => rmSync(directory, { recursive: true }));
  const azure = stack.use(
    await startTestAzure({
      principals: [
        // The deployer may write resources and assign roles. It gets all other rights from role assignments that it creates for
        // itself.
        {
          clientId,
          clientSecret,
          displayName: "deployer",
          roles: [contributorRole, accessAdministratorRole],
        },
        {
          clientId: applicationId,
          clientSecret: new Secret(randomBytes(8).toString("hex")),
          displayName: "service",
        },
      ],
    }),
  );
  const caFile = join(directory, "ca.pem");
  writeFileSync(caFile, azure.caPem);
  const clock = new PollingClock();
  const cloud = {
    armEndpoint: azure.url,
    loginEndpoint: azure.url,
    audience: "https://management.azure.com/",
    vaultUrl: `${azure.url}/vaults/{vault}`,
    blobUrl: `${azure.url}/blobs/{account}`,
    caFile,
  };
  const region = (change: object = {}, configuration: object = {}): Region => {
    const own = { ...exampleRegion, ...change };
    const fpServicePrincipalId = azure.objectIdOf(applicationId) ?? "";
    const shared = { ...exampleConfiguration, cloud, fpServicePrincipalId, ...configuration };
    return resolveRegion({ rps: [own], configuration: shared }, own.location, "test");
  };
  const environment = {
    armEndpoint: azure.url,
    loginEndpoint: azure.url,
    audience: "https://management.azure.com/",
    caPem: azure.caPem,
    pollIntervalMs: 20,
  };
  const credential = signIn(environment, { tenantId, clientId, clientSecret });
  const shared = { environment, credential, logger: silentLogger };
  return {
    azure,
    clock,
    region,
    context: (region, version, options = {}) => ({
      ...connectRegion({
        region,
        version,
        credential,
        clock,
        logger: silentLogger,
        signal: options.signal ?? signal,
        report: options.onProgress ?? (() => {}),
      }),
      // This client uses shorter polling intervals than the SDK's default.
      connect: (id) => azure.connect({ credential, subscriptionId: id }),
    }),
    async giveSecrets({ configuration }) {
      const vaultUrl = `${azure.url}/vaults/${configuration.keyvaultPrefix}-svc`;
      const vault = connectVault({ ...shared, vaultUrl });
      const { tls } = await localCertificates();
      for (const name of Object.values(configuration.serviceFiles ?? {})) {
        await vault.add(name, new Secret("file"), signal);
      }
      await vault.add(secretNames.server, new Secret(tls.privateKeyPem + tls.certificatePem), signal);
      await vault.add(secretNames.firstParty, new Secret("application secret"), signal);
      for (const name of [portalSecretNames.server, portalSecretNames.client])
        await vault.add(name, new Secret(tls.privateKeyPem + tls.certificatePem), signal);
    },
    machineVault: ({ tenantId, identityClientId, vaultUrl, vaultAudience }) =>
      connectVault({
        ...shared,
        credential: {
          tenantId,
          tokens: { getToken: () => machineToken(azure, identityClientId, vaultAudience) },
        },
        vaultUrl,
        audience: vaultAudience,
      }),
    async inventory() {
      const { resources } = azure.clients;
      const found = await Array.fromAsync(resources.resources.list(azure.clients.call(signal)));
      return found
        .map(({ id = "", type, name }) => `${id.split("/")[4]}: ${type?.replace("Microsoft.", "")}/${name}`)
        .toSorted();
    },
    async published({ configuration, location }) {
      const containerUrl = `${azure.url}/blobs/${configuration.rpVersionStorageAccountName}/$web`;
      const blob = await connectBlobContainer({ ...shared, containerUrl }).find(
        `rpversion/${location}`,
        signal,
      );
      return blob?.toString();
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** Requests a token from the simulated metadata service, as a machine does. */
async function machineToken(azure: TestAzure, identityClientId: string, resource: string) {
  const query = new URLSearchParams({ "api-version": "2018-02-01", client_id: identityClientId, resource });
  const headers = { metadata: "true" };
  const { json, text } = await azure.raw(`/metadata/identity/oauth2/token?${query}`, { headers });
  if (!isPlainObject(json) || typeof json.access_token !== "string") throw new Error(text);
  return { token: json.access_token, expiresOnTimestamp: Date.now() + 600_000 };
}

export { subscriptionId };
