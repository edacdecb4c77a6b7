import { readFile } from "node:fs/promises";
import type { FederatedPrincipal, ServicePrincipal } from "@keelson/azure";
import { Secret } from "@keelson/base";
import { azureErrors } from "./errors.ts";

/** The variables of the operator's pod, or of what runs the operator outside. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** As the pod's `AZURE_TOKEN_CREDENTIALS` says; without it, a client secret goes before a token file. */
export function usesWorkloadIdentity(environment: Environment): boolean {
  const { AZURE_TOKEN_CREDENTIALS: kind, AZURE_CLIENT_SECRET: secret } = environment;
  if (kind) return kind === "WorkloadIdentityCredential";
  return !secret && Boolean(environment.AZURE_FEDERATED_TOKEN_FILE);
}

/**
 * Whom the operator signs in as. The token of a workload identity is read from its file for each sign-in: the kubelet
 * replaces it before it expires.
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
