import { connectAzure, connectVault, connectVaultCertificates } from "@keelson/azure";
import type { Clock, Logger } from "@keelson/base";
import { azureManagedIdentities, type ClusterEnvironment, serviceNetwork } from "@keelson/cluster";
import {
  type DatabaseRole,
  type Keyring,
  openDatabase,
  roleAccess,
  type StoreObserver,
} from "@keelson/database";
import { connectedHive } from "@keelson/installers";
import type { ClusterResponses, KubeClient } from "@keelson/kube";
import { definitionsWith, type ServiceDatabase } from "@keelson/model";
import { connectHive } from "./config/hive-config.ts";
import type { RoleConfig } from "./config/service-config.ts";
import { databaseDriver } from "./database/database-driver.ts";
import { seedRoleSets, seedVersions } from "./database/seed-catalogue.ts";
import { createInstaller, type InstallerKinds, installerKinds } from "./installers/installer-kinds.ts";
import { createCertificateIssuer } from "./keys/create-certificate-issuer.ts";
import { openKeyring } from "./keys/encryption-keys.ts";
import { type ServiceAccount, serviceAccount } from "./service-account.ts";
import type { Telemetry } from "./telemetry.ts";

export interface ServiceEnvironment extends AsyncDisposable {
  readonly database: ServiceDatabase;
  readonly keyring: Keyring;
  readonly cluster: ClusterEnvironment;
}

export interface ServiceEnvironmentOptions {
  readonly config: RoleConfig;
  /** Returns the configuration with the current secrets. Default: `config`. */
  readonly configNow?: () => RoleConfig;
  /** Role of the process. The process uses a database role that has only the privileges of this role (`roleAccess`). */
  readonly role: Exclude<DatabaseRole, "gateway">;
  /** Installer kinds that the configuration can select. Default: the installer kinds of the service. */
  readonly installerKinds?: InstallerKinds;
  readonly telemetry: Telemetry;
  /** Observer of database measurements. */
  readonly observer?: StoreObserver | undefined;
  /** Parses responses of the clusters' API servers. */
  readonly responses: ClusterResponses;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/**
 * Creates the objects that the configuration describes, for example the database driver and the Azure credentials. Other packages
 * receive these objects and do not read the configuration.
 */
export async function createServiceEnvironment(
  options: ServiceEnvironmentOptions,
): Promise<ServiceEnvironment> {
  const { config, configNow = () => config, role, telemetry, clock, logger, signal } = options;
  const stack = new AsyncDisposableStack();
  try {
    const ofDatabase = logger.child({ component: "database" });
    const account = serviceAccount(config, configNow);
    const keyring = stack.use(
      await openKeyring(config.encryption, {
        connectVault: (vaultUrl, audience) =>
          connectVault({ ...connectionOf(account, telemetry), vaultUrl, audience, logger: ofDatabase }),
        encryptionNow: () => configNow().encryption,
        onReading: telemetry.onKeyReading,
        clock,
        logger: ofDatabase,
        signal,
      }),
    );
    const driver = databaseDriver(config, configNow);
    const database = stack.use(
      await openDatabase({
        driver,
        definitions: definitionsWith(config.retention),
        keyring,
        logger: ofDatabase,
        signal,
        observer: options.observer,
        use: roleAccess[role].sweeps ? "all" : "documents",
        ...migrationsOf(config),
      }),
    );
    if (role === "rp") {
      await seedVersions(database, config.versions, signal);
      await seedRoleSets(database, config.roleSets, signal);
    }
    const hive = connectHive(config.hive);
    if (hive) stack.use(hive);
    return {
      database,
      keyring,
      cluster: await clusterEnvironment(options, account, hive),
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

function migrationsOf({ database }: RoleConfig) {
  return database.kind === "postgres" && database.migrations ? { migrations: database.migrations } : {};
}

function connectionOf({ azure, signedIn }: ServiceAccount, { tracing, onAzureRequest }: Telemetry) {
  return { environment: azure, credential: signedIn, tracing, onRequest: onAzureRequest };
}

async function clusterEnvironment(
  {
    config,
    installerKinds: kinds = installerKinds,
    telemetry,
    responses,
    clock,
    logger,
  }: ServiceEnvironmentOptions,
  account: ServiceAccount,
  hive: KubeClient | undefined,
): Promise<ClusterEnvironment> {
  const { azure, firstParty } = account;
  const shared = connectionOf(account, telemetry);
  return {
    location: config.location,
    domain: config.domain,
    resourceGroup: config.resourceGroup,
    subscriptionId: config.subscriptionId,
    network: serviceNetwork({ ...config, hasHive: config.hive !== undefined }),
    registry: config.containerRegistry,
    serviceDomain: config.serviceDomain,
    gatewayDomains: config.gatewayDomains,
    environmentType: config.environmentType,
    disableDenyAssignments: config.disableDenyAssignments,
    clusterAddress: config.clusterAddress,
    azure,
    responses,
    connectAzure: (subscriptionId, connection) => connectAzure({ ...shared, subscriptionId, ...connection }),
    connectAzureAs: (credential, subscriptionId, connection) =>
      connectAzure({ ...shared, subscriptionId, ...connection, credential }),
    tenantIdOf: (document) => document.subscription.properties?.tenantId ?? config.tenantId,
    ...(config.installer
      ? {
          installer: await createInstaller(config.installer, { hive }, kinds),
        }
      : {}),
    ...(hive
      ? { hive: connectedHive({ kube: hive, adoptsClusters: config.hive?.adoptClusters ?? false }) }
      : {}),
    operatorImage: config.operatorImage,
    certificateIssuer: createCertificateIssuer(config.certificateIssuer, {
      domain: config.domain,
      connectCertificates: (vaultUrl, audience) =>
        connectVaultCertificates({ ...shared, vaultUrl, audience, logger }),
      clock,
    }),
    ...(config.managedIdentities
      ? {
          managedIdentities: azureManagedIdentities({
            environment: azure,
            credential: firstParty,
            audience: config.managedIdentities.audience,
            hostSuffix: config.managedIdentities.hostSuffix,
            checkAccess: config.managedIdentities.checkAccess,
            oidcIssuer: config.managedIdentities.oidcIssuer,
          }),
        }
      : {}),
    authorizationRetry: config.authorizationRetry,
  };
}
