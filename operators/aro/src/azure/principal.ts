import { readFile } from "node:fs/promises";
import type { FederatedPrincipal, ServicePrincipal } from "@keelson/azure";
import { Secret } from "@keelson/base";
import { azureErrors } from "./errors.ts";

/** Environment variables of the operator's pod or process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * True if `AZURE_TOKEN_CREDENTIALS` selects workload identity. If it selects nothing, a client secret takes precedence over a
 * token file.
 */
export function usesWorkloadIdentity(environment: Environment): boolean {
  const { AZURE_TOKEN_CREDENTIALS: kind, AZURE_CLIENT_SECRET: secret } = environment;
  if (kind) return kind === "WorkloadIdentityCredential";
  return !secret && Boolean(environment.AZURE_FEDERATED_TOKEN_FILE);
}

/**
 * Returns the operator's principal. Each sign-in reads the workload identity token from its file, because the kubelet rotates the
 * token.
 * @throws AzureNotConfigured
 */
export function principalOf(environment: Environment): ServicePrincipal | FederatedPrincipal {
  const clientId = required(environment, "AZURE_CLIENT_ID");
  const tenantId = required(environment, "AZURE_TENANT_ID");
  if (!usesWorkloadIdentity(environment)) {
    return { tenantId, clientId, clientSecret: new Secret(required(environment, "AZURE_CLIENT_SECRET")) };
  }
  const file = required(environment, "AZURE_FEDERATED_TOKEN_FILE");
  return { tenantId, clientId, assertion: async () => (await readFile(file, "utf8")).trim() };
}

function required(environment: Environment, name: string): string {
  const value = environment[name];
  if (value) return value;
  throw azureErrors.AzureNotConfigured(
    `${name} is not set. In a pod, the Secret azure-cloud-credentials in the operator's namespace sets it`,
  );
}
