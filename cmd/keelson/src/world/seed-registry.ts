import { resourceGroupId } from "@keelson/arm";
import { type AzureClients, isNotFound } from "@keelson/azure";
import { embedded } from "../state/embedded-defaults.ts";

const { location, serviceResourceGroup: group, registryName: name } = embedded;

export function embeddedRegistryId(subscriptionId: string): string {
  return `${resourceGroupId(subscriptionId, group)}/providers/Microsoft.ContainerRegistry/registries/${name}`;
}

/** Creates the registry for which each cluster gets a token. Simulated nodes do not pull images from it. Idempotent. */
export async function seedRegistry(azure: AzureClients, signal: AbortSignal): Promise<void> {
  const { registries } = azure.registries;
  const call = azure.call(signal);
  try {
    await registries.get(group, name, call);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await registries.create(group, name, { location, sku: { name: "Premium" } }, call);
  }
}
