import { type AzureClients, unlessGone } from "@keelson/azure";

/** Creates a resource group if it does not exist. An existing group keeps its location. */
export async function ensureGroup(
  azure: AzureClients,
  name: string,
  location: string,
  signal: AbortSignal,
): Promise<void> {
  if (await groupExists(azure, name, signal)) return;
  await azure.resources.resourceGroups.createOrUpdate(name, { location }, azure.call(signal));
}

export async function groupExists(azure: AzureClients, name: string, signal: AbortSignal): Promise<boolean> {
  const group = await unlessGone(() => azure.resources.resourceGroups.get(name, azure.call(signal)));
  return group !== undefined;
}
