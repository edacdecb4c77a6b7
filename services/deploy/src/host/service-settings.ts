import { type Cloud, cloudOf } from "../config/cloud.ts";
import type { Region } from "../config/configuration.ts";
import { postgresDatabase, postgresLogin } from "../resources/postgres.ts";
import { clusterVaultName, serviceVaultName } from "../templates/names.ts";
import { deepMerge } from "./deep-merge.ts";
import type { HostSettings } from "./host-settings.ts";
import { type PortalSecrets, portalSettings } from "./portal-settings.ts";
import { runDirectory } from "./units.ts";

/** Names of the secrets in the vault of a region. */
export const secretNames = {
  /** Seals secrets in documents. Each version is a key. */
  encryption: "encryption-key",
  /** Seals skip tokens of lists. */
  skipToken: "fe-encryption-key",
  /** The secret of the service's application. */
  firstParty: "rp-firstparty",
  /** The certificate under which the service is reached, with its key, in PEM. */
  server: "rp-server",
  databasePassword: "database-password",
} as const;

export interface ServiceSettingsOptions {
  readonly region: Region;
  readonly cloud: Cloud;
  readonly vaultUrl: string;
  readonly identityClientId: string;
  /** The version that is deployed: the tag of the service's image, whose operator it puts into clusters. */
  readonly version: string;
  /** All machines of a version seal with the same key, whenever they start. */
  readonly skipTokenVersion: string;
  /** Where the region has a portal. */
  readonly portal?: PortalSecrets;
}

const file = (name: string) => `${runDirectory}/${name}`;

/** The settings of the resource provider's machines: `keelson rp`'s configuration, and the files that it names. */
export function serviceSettings(options: ServiceSettingsOptions): HostSettings {
  const { region, cloud, vaultUrl, identityClientId, skipTokenVersion, version } = options;
  const { configuration } = region;
  const { environment, vaultAudience } = cloud;
  const portal = options.portal && hasPortal(region) ? portalSettings(region, options.portal) : undefined;
  return {
    tenantId: configuration.fpTenantId,
    identityClientId,
    vaultUrl,
    vaultAudience,
    files: [
      { certificateFile: "rp-server.pem", keyFile: "rp-server-key.pem", secret: secretNames.server },
      { name: "admin-ca.pem", text: configuration.adminApiCaBundle },
      ...Object.entries(configuration.serviceFiles ?? {}).map(([name, $secret]) => ({
        name,
        content: { $secret },
      })),
      ...(portal?.files ?? []),
      ...(environment.caPem ? [{ name: "cloud-ca.pem", text: environment.caPem }] : []),
    ],
    service: deepMerge(
      {
        location: region.location,
        domain: `${region.location}.${configuration.clusterParentDomainName}`,
        serviceDomain: configuration.rpParentDomainName,
        tenantId: configuration.fpTenantId,
        subscriptionId: region.subscriptionId,
        resourceGroup: region.rpResourceGroupName,
        host: "0.0.0.0",
        port: 443,
        tls: { certificateFile: file("rp-server.pem"), keyFile: file("rp-server-key.pem") },
        callers: {
          kind: "verified",
          arm: { certificates: { kind: "published", metadataUrl: cloud.armCertificatesUrl } },
          admin: {
            certificates: {
              kind: "named",
              commonName: configuration.adminApiClientCertCommonName,
              authoritiesFile: file("admin-ca.pem"),
            },
          },
        },
        azure: {
          armEndpoint: environment.armEndpoint,
          loginEndpoint: environment.loginEndpoint,
          audience: environment.audience,
          ...(environment.caPem ? { caFile: file("cloud-ca.pem") } : {}),
        },
        firstParty: { clientId: configuration.fpClientId, clientSecret: { $secret: secretNames.firstParty } },
        database: databaseSettings(region, cloud),
        encryption: {
          keyVault: { url: vaultUrl, secretName: secretNames.encryption, audience: vaultAudience },
        },
        operatorImage: serviceImage(region, version),
        certificateIssuer: {
          kind: "keyVault",
          url: cloud.vaultUrl(String(clusterVaultName(configuration.keyvaultPrefix))),
          audience: vaultAudience,
        },
        ...(region.gatewayResourceGroupName === undefined
          ? {}
          : { gatewayResourceGroup: region.gatewayResourceGroupName }),
        ...(portal ? { portal: portal.service } : {}),
        skipTokenKey: { $secret: secretNames.skipToken, version: skipTokenVersion },
      },
      configuration.service,
    ),
  };
}

/** The same before a deployment, for checks, with empty texts for what is not known yet. */
export function serviceSettingsPreview(region: Region): Readonly<Record<string, unknown>> {
  const cloud = cloudOf(region.configuration);
  const vaultUrl = cloud.vaultUrl(String(serviceVaultName(region.configuration.keyvaultPrefix)));
  const unknown = { identityClientId: "", skipTokenVersion: "", version: "unknown" };
  const portal = { sessionKeyVersions: ["unknown"], sshKeyVersion: "unknown", sshHostKey: "" };
  return serviceSettings({ region, cloud, vaultUrl, ...unknown, portal }).service;
}

/** Whether people can sign in to a portal of the region, so that one runs. */
export function hasPortal({ configuration }: Region): boolean {
  return configuration.portalClientId !== undefined;
}

/** The image that machines of the service run. */
export function serviceImage({ configuration }: Region, version: string): string {
  return `${configuration.rpImagePrefix}:${version}`;
}

function databaseSettings({ configuration }: Region, cloud: Cloud) {
  const name = configuration.databaseAccountName;
  if (configuration.databaseKind === "cosmos") return { kind: "cosmos", endpoint: cloud.cosmosUrl(name) };
  const address = `${cloud.postgresHost(name)}:5432/${postgresDatabase}?sslmode=verify-full`;
  return {
    kind: "postgres",
    url: { $secret: secretNames.databasePassword, in: `postgres://${postgresLogin}:{secret}@${address}` },
  };
}
