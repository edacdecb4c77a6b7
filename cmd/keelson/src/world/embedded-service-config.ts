import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { GovernanceConfig, ServiceConfig } from "@keelson/env";
import { defaultRetention } from "@keelson/model";
import { pagesDirectory } from "@keelson/portal-web";
import { seededGroupId } from "@keelson/sim-azure/seed-directory";
import { type AroInstaller, aroInstallerFiles } from "../state/aro-installer.ts";
import type { ClusterProcess } from "../state/cluster-processes.ts";
import { embedded } from "../state/embedded-defaults.ts";
import type { Identity } from "../state/identity.ts";
import { hiveFiles } from "../state/management-cluster.ts";
import { portalIdentity } from "../state/portal-identity.ts";
import type { Ports } from "../state/ports.ts";
import { sshHostKeyFiles } from "../state/ssh-host-key.ts";
import { embeddedRoleSets } from "./embedded-role-sets.ts";
import { embeddedRegistryId } from "./seed-registry.ts";

interface EmbeddedServiceOptions {
  /** Database settings. Default: a database in the state directory. */
  readonly database: ServiceConfig["database"] | undefined;
  /** Processes that run the simulated clusters. */
  readonly clusterProcesses: readonly ClusterProcess[];
  /** True if Hive installs clusters. */
  readonly hasHive: boolean;
  /** True if the console of the simulated world runs. */
  readonly hasConsole: boolean;
  /** Rules for administrators' actions. */
  readonly governance: GovernanceConfig | undefined;
  /** ARO's installer. Default: the simulated installer, or Hive. */
  readonly aroInstaller: AroInstaller | undefined;
}

/**
 * Returns the configuration of a resource provider that uses the simulated world of a state directory. `keelson rp --config
 * DIR/service.json` reads this configuration, which contains secrets.
 */
export function embeddedServiceConfig(
  directory: string,
  identity: Identity,
  ports: Ports,
  { database, clusterProcesses, hasHive, hasConsole, governance, aroInstaller }: EmbeddedServiceOptions,
): ServiceConfig {
  const file = (name: string) => join(directory, name);
  const portal = portalIdentity(identity);
  const azureUrl = `https://localhost:${ports.azure}`;
  const groups = {
    access: [seededGroupId(identity.tenantId, "Readers")],
    operator: [seededGroupId(identity.tenantId, "Operators")],
    elevated: [seededGroupId(identity.tenantId, "Administrators")],
  };
  return {
    location: embedded.location,
    domain: embedded.domain,
    tenantId: identity.tenantId,
    subscriptionId: identity.subscriptionId,
    resourceGroup: embedded.serviceResourceGroup,
    host: "127.0.0.1",
    containerRegistry: {
      resourceId: embeddedRegistryId(identity.subscriptionId),
      domain: `${embedded.registryName}.azurecr.io`,
      // The URL is explicit, because local pods do not resolve azurecr.io to the simulated Azure.
      url: `${azureUrl}/`,
    },
    gatewayDomains: [],
    environmentType: "development",
    disableDenyAssignments: false,
    port: ports.rp,
    metricsPort: ports.metrics,
    tls: { certificateFile: file("tls.pem"), keyFile: file("tls-key.pem") },
    callers: {
      kind: "anyone",
      // Validation of access tokens for the admin API. The portal and users of the Azure CLI send these tokens. Requests without
      // a token have all rights, as in the local development mode of Azure/ARO-RP. The documents of Azure/ARO-RP call the admin
      // API with plain curl.
      adminTokens: {
        issuer: `${azureUrl}/${identity.tenantId}/v2.0`,
        audience: embedded.adminAudience,
        keysUrl: `${azureUrl}/${identity.tenantId}/discovery/v2.0/keys`,
        caFile: file("ca.pem"),
        applications: [portal.clientId, embedded.azureCliId],
        roles: [],
        vouchesForNames: false,
      },
      adminRoles: {
        certificates: {},
        groups: {
          reader: groups.access,
          operator: groups.operator,
          elevated: groups.elevated,
        },
        requireReason: false,
      },
    },
    azure: {
      armEndpoint: azureUrl,
      loginEndpoint: azureUrl,
      audience: embedded.audience,
      graphEndpoint: azureUrl,
      caFile: file("ca.pem"),
      pollIntervalMs: 100,
    },
    firstParty: identity.firstParty,
    database: database ?? { kind: "embedded", directory: file("database") },
    encryption: identity.encryptionKeys,
    skipTokenKey: identity.skipTokenKey,
    otherSkipTokenKeys: [],
    ...installerSettings(file, identity, ports, { clusterProcesses, hasHive, aroInstaller }),
    // Image name that simulated kubelets recognize.
    operatorImage: "keelson:latest",
    certificateIssuer: { kind: "local", caFile: file("ca.pem"), caKeyFile: file("ca-key.pem") },
    managedIdentities: {
      audience: "https://identity.azure.net",
      hostSuffix: new URL(azureUrl).host,
      identityUrl: `${azureUrl}/identity/credentials?tid=${identity.tenantId}`,
      homeTenantId: identity.tenantId,
      checkAccess: {
        url: `${azureUrl}/providers/Microsoft.Authorization/checkAccess?api-version=2021-06-01-preview`,
        audience: "https://authorization.azure.net",
      },
      oidcIssuer: {
        endpoint: `${azureUrl}/web/oidc`,
        containerUrl: `${azureUrl}/blobs/oidc/$web`,
        keyBits: 2_048,
      },
    },
    authorizationRetry: { everyMs: 500, forMs: 3_000 },
    versions: [...embedded.versions],
    roleSets: [...embeddedRoleSets],
    portal: {
      url: `https://localhost:${ports.portal}`,
      certificateFile: file("tls.pem"),
      keyFile: file("tls-key.pem"),
      host: "127.0.0.1",
      port: ports.portal,
      ssh: {
        hostKeyFile: file(sshHostKeyFiles.public),
        keyFile: file(sshHostKeyFiles.private),
        port: ports.ssh,
        host: "127.0.0.1",
        listenPort: ports.ssh,
        fips: true,
        proxy: { url: `http://127.0.0.1:${ports.proxy}` },
      },
      assets: fileURLToPath(pagesDirectory),
      banner: {
        text: "simulated",
        ...(hasConsole ? { link: { text: "Console", url: `https://localhost:${ports.console}` } } : {}),
      },
      signIn: {
        clientId: portal.clientId,
        certificateFile: file("portal-client.pem"),
        keyFile: file("portal-client-key.pem"),
        sessionKeys: [portal.sessionKey],
        groups,
      },
      adminApi: {
        url: `https://localhost:${ports.rp}`,
        scope: `${embedded.adminAudience}/.default`,
        caFile: file("ca.pem"),
      },
      ...(governance ? { governance } : {}),
    },
    telemetry: {},
    retention: defaultRetention,
    retryAfterSeconds: 2,
    workers: 100,
    leaseMs: 60_000,
    heartbeatMs: 10_000,
    serveOnMs: 0,
    drainMs: 10_000,
  };
}

type InstallerChoice = Pick<EmbeddedServiceOptions, "clusterProcesses" | "hasHive" | "aroInstaller">;

function installerSettings(
  file: (name: string) => string,
  identity: Identity,
  ports: Ports,
  { clusterProcesses, hasHive, aroInstaller }: InstallerChoice,
): Pick<ServiceConfig, "installer" | "hive" | "clusterAddress"> {
  // Kubeconfigs of ARO's installer contain the host name api-int. In the simulated world, a cluster's private endpoint accepts no
  // connections, so the service connects to this address.
  const clusterAddress = `127.0.0.1:${ports.clusters}`;
  const environment = installerEnvironment(identity);
  if (hasHive)
    return {
      clusterAddress,
      hive: { kubeconfigFile: file(hiveFiles.kubeconfig), adoptClusters: true },
      installer: {
        kind: "hive",
        graphKeyFile: file(hiveFiles.graphKey),
        pullSecretFile: file(hiveFiles.pullSecret),
        environment,
      },
    };
  if (aroInstaller)
    return {
      clusterAddress,
      installer: {
        kind: "aro-installer",
        command: [aroInstaller.program],
        workingFolder: file(aroInstallerFiles.installs),
        graphKeyFile: file(aroInstallerFiles.graphKey),
        pullSecretFile: file(aroInstallerFiles.pullSecret),
        environment,
        timeoutMs: 3_600_000,
        processEnvironment: proxiedAzure(`http://127.0.0.1:${ports.proxy}`),
      },
    };
  const [clustersUrl = "", ...furtherClustersUrls] = clusterProcesses.map(
    ({ clusters }) => `https://localhost:${clusters}`,
  );
  const further = furtherClustersUrls.length > 0 ? { furtherClustersUrls } : {};
  return { installer: { kind: "simulated", clustersUrl, ...further, caFile: file("ca.pem") } };
}

/** Returns the environment variables that ARO's installer requires in production mode. */
function installerEnvironment({ firstParty, subscriptionId }: Identity) {
  return {
    AZURE_FP_CLIENT_ID: firstParty.clientId,
    DOMAIN_NAME: embedded.domain,
    KEYVAULT_PREFIX: embedded.vaultPrefix,
    CLUSTER_MDSD_ACCOUNT: "keelson",
    CLUSTER_MDSD_CONFIG_VERSION: "1.0",
    CLUSTER_MDSD_NAMESPACE: "keelson",
    MDSD_ENVIRONMENT: "keelson",
    GATEWAY_DOMAINS: "localhost",
    GATEWAY_RESOURCEGROUP: embedded.serviceResourceGroup,
    ACR_RESOURCE_ID: embeddedRegistryId(subscriptionId),
  };
}

/**
 * Returns proxy variables for programs that use Azure's own host names. The proxy connects these programs to the simulated Azure
 * and its instance metadata. Connections to API servers bypass the proxy.
 */
function proxiedAzure(proxy: string): Readonly<Record<string, string>> {
  return { HTTPS_PROXY: proxy, HTTP_PROXY: proxy, NO_PROXY: "localhost,.localhost,127.0.0.1,::1" };
}
