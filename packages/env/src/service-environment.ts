import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type AzureEnvironment, connectAzure, type ServicePrincipal } from "@keelson/azure";
import { type Clock, type KeyPair, type Logger, Secret } from "@keelson/base";
import { type ClusterEnvironment, simulatedInstaller } from "@keelson/cluster";
import { createKeyring, openDatabase, pgliteDriver, postgresDriver } from "@keelson/database";
import { definitions, type ServiceDatabase } from "@keelson/model";
import { localCertificateIssuer } from "./local-certificate-issuer.ts";
import { seedRoleSets, seedVersions } from "./seed-catalogue.ts";
import type { ServiceConfig } from "./service-config.ts";

export interface ServiceEnvironment extends AsyncDisposable {
  readonly database: ServiceDatabase;
  readonly cluster: ClusterEnvironment;
  readonly tls: KeyPair;
  readonly skipTokenKey: Uint8Array;
}

export interface ServiceEnvironmentOptions {
  readonly config: ServiceConfig;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Turns configuration into the things it names: the one place that knows where the service runs. */
export async function createServiceEnvironment(
  options: ServiceEnvironmentOptions,
): Promise<ServiceEnvironment> {
  const { config, logger, signal } = options;
  const database = await openServiceDatabase(config, logger, signal);
  try {
    await seedVersions(database, config.versions, signal);
    await seedRoleSets(database, config.roleSets, signal);
    return {
      database,
      cluster: clusterEnvironment(config),
      tls: {
        certificatePem: readFileSync(config.tls.certificateFile, "utf8"),
        privateKeyPem: readFileSync(config.tls.keyFile, "utf8"),
      },
      skipTokenKey: Buffer.from(config.skipTokenKey, "base64"),
      [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
    };
  } catch (error) {
    await database[Symbol.asyncDispose]();
    throw error;
  }
}

function openServiceDatabase(
  config: ServiceConfig,
  logger: Logger,
  signal: AbortSignal,
): Promise<ServiceDatabase> {
  const { current, keys } = config.encryption;
  return openDatabase({
    driver:
      config.database.kind === "postgres"
        ? postgresDriver({ url: config.database.url })
        : pgliteDriver({ dataDir: config.database.directory }),
    definitions,
    keyring: createKeyring({
      current,
      keys: Object.fromEntries(Object.entries(keys).map(([id, key]) => [id, Buffer.from(key, "base64")])),
    }),
    logger: logger.child({ component: "database" }),
    signal,
  });
}

function clusterEnvironment(config: ServiceConfig): ClusterEnvironment {
  const azure: AzureEnvironment = {
    armEndpoint: config.azure.armEndpoint,
    loginEndpoint: config.azure.loginEndpoint,
    audience: config.azure.audience,
    ...(config.azure.caFile ? { caPem: readFileSync(config.azure.caFile, "utf8") } : {}),
    pollIntervalMs: config.azure.pollIntervalMs,
  };
  const firstParty: ServicePrincipal = {
    tenantId: config.tenantId,
    clientId: config.firstParty.clientId,
    clientSecret: new Secret(config.firstParty.clientSecret),
  };
  const { caFile, caKeyFile } = config.certificateIssuer;
  const authority = {
    certificatePem: readFileSync(caFile, "utf8"),
    privateKeyPem: readFileSync(caKeyFile, "utf8"),
  };
  return {
    location: config.location,
    domain: config.domain,
    resourceGroup: config.resourceGroup,
    subscriptionId: config.subscriptionId,
    azure,
    connectAzure: (subscriptionId, connection) =>
      connectAzure({ environment: azure, credential: firstParty, subscriptionId, ...connection }),
    connectAzureAs: (credential, subscriptionId, connection) =>
      connectAzure({ environment: azure, credential, subscriptionId, ...connection }),
    tenantIdOf: (document) => document.subscription.properties?.tenantId ?? config.tenantId,
    installer: simulatedInstaller({
      clustersUrl: config.installer.clustersUrl,
      caPem: readFileSync(config.installer.caFile, "utf8"),
    }),
    certificateIssuer: localCertificateIssuer(authority, join(dirname(caKeyFile), "certificates")),
    authorizationRetry: config.authorizationRetry,
  };
}
