import { type AzureEnvironment, type ServicePrincipal, type SignedIn, signIn } from "@keelson/azure";
import { Secret } from "@keelson/base";
import type { RoleConfig } from "./config/service-config.ts";
import { readCertificates } from "./files/config-files.ts";

/** Application of the service, with its Azure environment. */
export interface ServiceAccount {
  readonly azure: AzureEnvironment;
  readonly firstParty: ServicePrincipal;
  readonly signedIn: SignedIn;
}

/**
 * Creates the account without sending a request. It signs in with the current secret in `configNow`. Default: the secret in
 * `config`.
 * @throws InvalidConfiguration if the file with CA certificates cannot be read
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
  const firstParty: ServicePrincipal = {
    tenantId: config.tenantId,
    clientId: config.firstParty.clientId,
    clientSecret: new Secret({ open: () => configNow().firstParty.clientSecret }),
  };
  return { azure, firstParty, signedIn: signIn(azure, firstParty) };
}
