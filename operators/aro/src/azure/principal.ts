import { readFile } from "node:fs/promises";
import type { FederatedPrincipal, ServicePrincipal } from "@keelson/azure";
import { Secret } from "@keelson/base";
import { azureErrors } from "./errors.ts";

/** Environment variables of the operator's pod or process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * True if `AZURE_TOKEN_CREDENTIALS` selects workload identity. By default, a client secret has priority over
 * a token file.
 */
export function usesWorkloadIdentity(environment: Environment): boolean {
  const { AZURE_TOKEN_CREDENTIALS: kind, AZURE_CLIENT_SECRET: secret } = environment;
  if (kind) return kind === "WorkloadIdentityCredential";
  return !secret && Boolean(environment.AZURE_FEDERATED_TOKEN_FILE);
}

/**
 * The operator's principal. The workload identity token is read from its file at each sign-in, because the
 * kubelet rotates it before it expires.
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
    `${name} is not set: the pod has it from the Secret azure-cloud-credentials of the operator's namespace`,
  );
}
