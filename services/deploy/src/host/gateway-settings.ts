import type { Cloud } from "../config/cloud.ts";
import type { Region } from "../config/configuration.ts";
import { deepMerge } from "./deep-merge.ts";
import { settingsDirectory } from "./parts.ts";

export const gatewayConfigFile = `${settingsDirectory}/gateway.json`;
const cloudAuthorityFile = `${settingsDirectory}/cloud-ca.pem`;

export interface GatewaySettingsOptions {
  readonly region: Region;
  readonly cloud: Cloud;
  /** Client ID of the identity that reads the private link records of clusters. */
  readonly identityClientId: string;
}

/**
 * Returns the files of the gateway's machines: the configuration of `keelson gateway` and the files that it references. The
 * configuration contains no secrets.
 */
export function gatewayFiles({
  region,
  cloud,
  identityClientId,
}: GatewaySettingsOptions): Readonly<Record<string, string>> {
  const { configuration, location } = region;
  const { armEndpoint, loginEndpoint, audience, caPem } = cloud.environment;
  const [registryDomain = ""] = configuration.rpImagePrefix.split("/");
  const settings = deepMerge(
    {
      location,
      host: "0.0.0.0",
      connectPort: 80,
      tlsPort: 443,
      azure: { armEndpoint, loginEndpoint, audience, ...(caPem ? { caFile: cloudAuthorityFile } : {}) },
      storageSuffix: cloud.storageSuffix,
      registryDomain,
      tenantId: configuration.fpTenantId,
      machineIdentity: { clientId: identityClientId },
      database: { kind: "cosmos", endpoint: cloud.cosmosUrl(configuration.databaseAccountName) },
    },
    configuration.gateway ?? {},
  );
  return {
    [gatewayConfigFile]: `${JSON.stringify(settings, null, 2)}\n`,
    ...(caPem ? { [cloudAuthorityFile]: caPem } : {}),
  };
}
