import { readFile } from "node:fs/promises";
import type { AzureEnvironment } from "@keelson/azure";
import { azureErrors } from "./errors.ts";
import type { Environment } from "./principal.ts";

const clouds: Readonly<Record<string, AzureEnvironment>> = {
  azurepubliccloud: {
    armEndpoint: "https://management.azure.com",
    loginEndpoint: "https://login.microsoftonline.com",
    audience: "https://management.azure.com/",
    graphAudience: "https://graph.microsoft.com/",
  },
  azureusgovernmentcloud: {
    armEndpoint: "https://management.usgovcloudapi.net",
    loginEndpoint: "https://login.microsoftonline.us",
    audience: "https://management.usgovcloudapi.net/",
    graphAudience: "https://graph.microsoft.us/",
  },
};

/**
 * Returns the endpoints of the cloud in the Cluster's `azEnvironment`. For private clouds, environment variables override these
 * endpoints. The Microsoft Graph audience always belongs to the cloud in `azEnvironment`.
 * @throws AzureNotConfigured
 */
export async function azureCloud(name: string, environment: Environment): Promise<AzureEnvironment> {
  const cloud = clouds[name.toLowerCase()];
  if (!cloud) {
    throw azureErrors.AzureNotConfigured(
      `spec.azEnvironment of the Cluster is '${name}': AzurePublicCloud and AzureUSGovernmentCloud are known`,
    );
  }
  const { AZURE_CA_FILE: caFile, AZURE_RESOURCE_MANAGER_AUDIENCE: audience } = environment;
  return {
    ...cloud,
    armEndpoint: endpoint(environment, "AZURE_RESOURCE_MANAGER_ENDPOINT") ?? cloud.armEndpoint,
    loginEndpoint: endpoint(environment, "AZURE_AUTHORITY_HOST") ?? cloud.loginEndpoint,
    ...(audience ? { audience } : {}),
    ...(caFile ? { caPem: await readFile(caFile, "utf8") } : {}),
  };
}

/**
 * Returns the configured Microsoft Graph endpoint. In Azure's public clouds, the default is the token audience, because both have
 * the same URL there. Private clouds have no default.
 */
export function graphEndpoint(environment: Environment, audience: string): string | undefined {
  const own = endpoint(environment, "AZURE_GRAPH_ENDPOINT");
  return own ?? (environment.AZURE_RESOURCE_MANAGER_ENDPOINT ? undefined : audience);
}

/**
 * Returns an endpoint from the environment. Undefined if the variable is not set. The endpoint must use https, because it
 * receives secrets and tokens.
 */
function endpoint(environment: Environment, name: string): string | undefined {
  const value = environment[name];
  if (!value) return undefined;
  if (URL.parse(value)?.protocol === "https:") return value.replace(/\/+$/, "");
  throw azureErrors.AzureNotConfigured(`${name} is '${value}': it must be an https URL`);
}
