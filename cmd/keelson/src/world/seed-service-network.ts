import { parseResourceId } from "@keelson/arm";
import { type AzureClients, isNotFound } from "@keelson/azure";
import type { ServiceNetwork } from "@keelson/cluster";

/** Network for private endpoints. Each cluster uses one address, so the prefix limits the number of clusters. */
const privateEndpointPrefix = "10.128.0.0/16";
const servicePrefix = "10.129.0.0/24";
/** Network for the pods of the cluster that runs Hive. */
const hivePrefix = "10.130.0.0/24";

/** Creates the service's virtual networks as in a deployment. Idempotent. */
export async function seedServiceNetwork(
  azure: AzureClients,
  { privateEndpointSubnetId, serviceSubnetId, hiveSubnetId }: ServiceNetwork,
  location: string,
  signal: AbortSignal,
): Promise<void> {
  const networks = [
    [privateEndpointSubnetId, privateEndpointPrefix],
    [serviceSubnetId, servicePrefix],
    ...(hiveSubnetId === undefined ? [] : [[hiveSubnetId, hivePrefix] as const]),
  ] as const;
  await Promise.all(
    networks.map(([subnetId, prefix]) => ensureNetwork(azure, subnetId, prefix, location, signal)),
  );
}

async function ensureNetwork(
  azure: AzureClients,
  subnetId: string,
  addressPrefix: string,
  location: string,
  signal: AbortSignal,
): Promise<void> {
  const id = parseResourceId(subnetId);
  const [network, subnet] = id?.path ?? [];
  if (!id || !network || !subnet) throw new Error(`${subnetId} is not the ID of a subnet`);
  const networks = azure.network.virtualNetworks;
  const options = { abortSignal: signal };
  try {
    await networks.get(id.resourceGroup, network[1], options);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const serviceEndpoints = [{ service: "Microsoft.Storage", locations: ["*"] }];
    const body = {
      location,
      addressSpace: { addressPrefixes: [addressPrefix] },
      subnets: [{ name: subnet[1], addressPrefix, serviceEndpoints }],
    };
    await networks.createOrUpdate(id.resourceGroup, network[1], body, options);
  }
}
