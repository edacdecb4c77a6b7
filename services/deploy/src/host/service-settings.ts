import { type Cloud, cloudOf } from "../config/cloud.ts";
import type { Region } from "../config/configuration.ts";
import { errors } from "../config/errors.ts";
import { postgresDatabase, postgresLogin } from "../resources/postgres.ts";
import { clusterVaultName, serviceVaultName } from "../template/names.ts";
import { deepMerge } from "./deep-merge.ts";
import type { HostFile, HostSettings } from "./host-settings.ts";
import { namesFile, type PartSettings, partsOf } from "./part-settings.ts";
import { partNames, runDirectory } from "./parts.ts";
import { type PortalSecrets, portalSettings } from "./portal-settings.ts";

/** Names of the secrets in the region's key vault. */
export const secretNames = {
  /** Key that encrypts secrets in documents. Each version of this key vault secret is a separate key. */
  encryption: "encryption-key",
  /** Key that encrypts the skip tokens of lists. */
  skipToken: "fe-encryption-key",
  /** Client secret of the service's application. */
  firstParty: "rp-firstparty",
  /** Server certificate and key of the service, PEM. */
  server: "rp-server",
  databasePassword: "database-password",
} as const;

export interface ServiceSettingsOptions {
  readonly region: Region;
  readonly cloud: Cloud;
  readonly vaultUrl: string;
  readonly identityClientId: string;
  /** Version to deploy: the tag of the service image. Clusters receive the operator of this version. */
  readonly version: string;
  /** Skip token key version shared by all machines of one service version, regardless of their start time. */
  readonly skipTokenVersion: string;
  /** Undefined if the region has no portal. */
  readonly portal?: PortalSecrets;
}

const file = (name: string) => `${runDirectory}/${name}`;

/**
 * Returns the settings of the resource provider's machines: the service configuration and the files that it references.
 * @throws InvalidDeployConfiguration if `serviceFiles` contains a file that `service` does not reference
 */
export function serviceSettings(options: ServiceSettingsOptions): HostSettings {
  const { region, cloud, vaultUrl, identityClientId } = options;
  const portal = options.portal && hasPortal(region) ? portalSettings(region, options.portal) : undefined;
  const service = serviceFields(options, portal?.service);
  requireNames(region, service);
  return {
    tenantId: region.configuration.fpTenantId,
    identityClientId,
    vaultUrl,
    vaultAudience: cloud.vaultAudience,
    service,
    files: [...serviceFiles(options, portal?.files ?? [])],
    parts: [...partNames(portal !== undefined)],
  };
}

/** Rejects files that no field references, because no component would receive them. */
function requireNames({ configuration }: Region, service: Readonly<Record<string, unknown>>): void {
  for (const name of Object.keys(configuration.serviceFiles ?? {}))
    if (!namesFile(service, name))
      throw errors.InvalidDeployConfiguration(
        `configuration.serviceFiles: no field of configuration.service names the file ${runDirectory}/${name}. Name it there, or remove it from serviceFiles.`,
      );
}

function serviceFiles(
  { region: { configuration }, cloud: { environment } }: ServiceSettingsOptions,
  portalFiles: readonly HostFile[],
): readonly HostFile[] {
  return [
    { certificateFile: "rp-server.pem", keyFile: "rp-server-key.pem", secret: secretNames.server },
    { name: "admin-ca.pem", text: configuration.adminApiCaBundle },
    ...Object.entries(configuration.serviceFiles ?? {}).map(([name, $secret]) => ({
      name,
      content: { $secret },
    })),
    ...portalFiles,
    ...(environment.caPem ? [{ name: "cloud-ca.pem", text: environment.caPem }] : []),
  ];
}

/** Returns the complete configuration of the service. */
function serviceFields(
  { region, cloud, vaultUrl, skipTokenVersion, version }: ServiceSettingsOptions,
  portal: Readonly<Record<string, unknown>> | undefined,
): Record<string, unknown> {
  const { configuration } = region;
  const { environment, vaultAudience } = cloud;
  return deepMerge(
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
      ...(portal ? { portal } : {}),
      skipTokenKey: { $secret: secretNames.skipToken, version: skipTokenVersion },
    },
    configuration.service,
  );
}

/**
 * Returns the components' configurations before a deployment, so that they can be validated. Values that are still unknown are
 * empty strings.
 */
export function serviceSettingsPreview(region: Region): readonly PartSettings[] {
  const cloud = cloudOf(region.configuration);
  const vaultUrl = cloud.vaultUrl(String(serviceVaultName(region.configuration.keyvaultPrefix)));
  const unknown = { identityClientId: "", skipTokenVersion: "", version: "unknown" };
  const portal = { sessionKeyVersions: ["unknown"], sshKeyVersion: "unknown", sshHostKey: "" };
  return partsOf(serviceSettings({ region, cloud, vaultUrl, ...unknown, portal }));
}

/** True if the region has a portal, which requires an application for sign-in. */
export function hasPortal({ configuration }: Region): boolean {
  return configuration.portalClientId !== undefined;
}

/** Returns the image of the service's machines. */
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
