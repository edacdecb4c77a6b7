import type { AzureClients } from "@keelson/azure";
import type { Violation } from "@keelson/model";
import type { ProposedCreation } from "./azure-checks.ts";
import type { SharedReads } from "./shared-reads.ts";

/** Resource providers that a cluster needs. Source: Azure/ARO-RP pkg/frontend/providers_validation.go. */
const required = ["Microsoft.Authorization", "Microsoft.Compute", "Microsoft.Network", "Microsoft.Storage"];

/** Checks that the subscription has registered the required resource providers. */
export async function checkProviders(
  { subscription }: ProposedCreation,
  azure: Pick<AzureClients, "resources">,
  reads: SharedReads<ReadonlySet<string>>,
  signal: AbortSignal,
): Promise<readonly Violation[]> {
  const registered = await reads.of(subscription.id, (shared) => registeredProviders(azure, shared), signal);
  return required
    .filter((namespace) => !registered.has(namespace.toLowerCase()))
    .map((namespace) => ({
      code: "ResourceProviderNotRegistered",
      target: "",
      message: `The resource provider '${namespace}' is not registered.`,
    }));
}

/** Returns the registered resource provider namespaces in lower case. */
async function registeredProviders(
  { resources }: Pick<AzureClients, "resources">,
  abortSignal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const registered = new Set<string>();
  for await (const { namespace = "", registrationState } of resources.providers.list({ abortSignal })) {
    if (registrationState === "Registered") registered.add(namespace.toLowerCase());
  }
  return registered;
}
