import { type AzureEnvironment, type AzurePrincipal, type SignedIn, signIn } from "@keelson/azure";
import { firstPartyPrincipal } from "./config/first-party.ts";
import type { RoleConfig } from "./config/service-config.ts";
import { readCertificates } from "./files/config-files.ts";

/** Application of the service, with its Azure environment. */
export interface ServiceAccount {
  readonly azure: AzureEnvironment;
  readonly firstParty: AzurePrincipal;
  readonly signedIn: SignedIn;
}

/**
 * Creates the account without sending a request. The account signs in with the current secret in `configNow` (default: the secret
 * in `config`), or with the certificate in the configured files.
 * @throws InvalidConfiguration if the file with CA certificates or the application's certificate cannot be read
 */
export function serviceAccount(
  config: RoleConfig,
  configNow: () => RoleConfig = () => config,
): ServiceAccount {
  const azure: AzureEnvironment = {
    armEndpoint: config.azure.armEndpoint,
    loginEndpoint: config.azure.loginEndpoint,
    audience: config.azure.audience,
    ...(config.azure.graphEndpoint ? { graphEndpoint: config.azure.graphEndpoint } : {}),
    ...(config.azure.caFile
      ? { caPem: readCertificates("azure.caFile", config.azure.caFile).join("\n") }
      : {}),
    pollIntervalMs: config.azure.pollIntervalMs,
  };
  const firstParty = firstPartyPrincipal(config.tenantId, config.firstParty, () => configNow().firstParty);
  return { azure, firstParty, signedIn: signIn(azure, firstParty) };
}
