import { accessToken, azureClouds, credentialOf, signInAsMachine } from "@keelson/azure";
import { Secret } from "@keelson/base";
import type { RegistryCredential } from "@keelson/mirror";
import { cliErrors } from "../output/cli-errors.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Registries for which the credentials in `SRC_AUTH_QUAY` and `SRC_AUTH_REDHAT` are valid. */
const sources = { SRC_AUTH_QUAY: ["quay.io"], SRC_AUTH_REDHAT: ["registry.redhat.io"] } as const;

/** Returns the host name of the registry in `DST_ACR_NAME`. @throws SettingMissing */
export function mirrorDestination(environment: Environment): string {
  const name = environment.DST_ACR_NAME ?? "";
  if (/^[A-Za-z0-9]{5,50}$/.test(name)) return `${name.toLowerCase()}.${cloudOf(environment).registrySuffix}`;
  throw cliErrors.SettingMissing(
    name === ""
      ? 'where images are copied to is not said: use --destination, "destination" of the configuration, or DST_ACR_NAME'
      : "DST_ACR_NAME must be 5 to 50 letters and digits: the name of the registry without its domain",
  );
}

/** Returns registry credentials from the environment. @throws SettingMissing naming all missing or invalid variables */
export function mirrorCredentials(
  environment: Environment,
  destination: string,
): Readonly<Record<string, RegistryCredential>> {
  const credentials: Record<string, RegistryCredential> = {};
  for (const [name, hosts] of Object.entries(sources)) {
    const text = environment[name];
    if (text === undefined || text === "") continue;
    const [, username = "", password = ""] =
      /^([^:]+):(.+)$/s.exec(Buffer.from(text, "base64").toString("utf8")) ?? [];
    if (username === "") throw cliErrors.SettingMissing(`${name} must be base64 of user:password`);
    for (const host of hosts)
      credentials[host] = { kind: "password", username, password: new Secret(password) };
  }
  if (environment.DST_ACR_NAME && destination === mirrorDestination(environment)) {
    credentials[destination] = azureCredential(environment);
  }
  return credentials;
}

function azureCredential(environment: Environment): RegistryCredential {
  const { armEndpoint, loginEndpoint } = cloudOf(environment);
  const azure = { armEndpoint, loginEndpoint, audience: armEndpoint };
  const { AZURE_EV2, AZURE_TENANT_ID, AZURE_CLIENT_ID, AZURE_CLIENT_SECRET } = environment;
  // With a managed identity, `AZURE_TENANT_ID` is not required, because the machine's instance metadata service returns the
  // tenant.
  const wanted = AZURE_EV2 ? { AZURE_CLIENT_ID } : { AZURE_TENANT_ID, AZURE_CLIENT_ID, AZURE_CLIENT_SECRET };
  const missing = Object.entries(wanted).filter(([, value]) => !value);
  const tenantId = AZURE_TENANT_ID ?? "";
  if (!AZURE_CLIENT_ID || missing.length > 0) {
    throw cliErrors.SettingMissing(`unset in the environment: ${missing.map(([name]) => name).join(", ")}`);
  }
  const credential = AZURE_EV2
    ? signInAsMachine(tenantId, AZURE_CLIENT_ID).tokens
    : credentialOf(azure, {
        tenantId,
        clientId: AZURE_CLIENT_ID,
        clientSecret: new Secret(AZURE_CLIENT_SECRET ?? ""),
      });
  return {
    kind: "azure",
    ...(AZURE_TENANT_ID ? { tenantId: AZURE_TENANT_ID } : {}),
    accessToken: async (signal) => new Secret(await accessToken(credential, azure, tenantId, signal)),
  };
}

/** @throws SettingMissing */
function cloudOf({ AZURE_ENVIRONMENT = "AzurePublicCloud" }: Environment) {
  const cloud = azureClouds.find(({ name }) => name.toLowerCase() === AZURE_ENVIRONMENT.toLowerCase());
  if (cloud) return cloud;
  throw cliErrors.SettingMissing(
    `AZURE_ENVIRONMENT must be one of ${azureClouds.map(({ name }) => name).join(", ")}; for another cloud use --destination and --config`,
  );
}
