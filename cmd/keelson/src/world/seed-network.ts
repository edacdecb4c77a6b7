import { isNotFound } from "@keelson/azure";
import type { Logger } from "@keelson/base";
import { serviceNetwork } from "@keelson/cluster";
import type { ClusterRef } from "../options/cluster-ref.ts";
import { embedded } from "../state/embedded-defaults.ts";
import type { Identity } from "../state/identity.ts";
import { connectService } from "./connect-service.ts";
import { seedRegistry } from "./seed-registry.ts";
import { seedServiceNetwork } from "./seed-service-network.ts";

const { location, serviceResourceGroup, networkResourceGroup, virtualNetwork } = embedded;

/**
 * Creates the resources that a subscription needs before its first cluster: the service's resource group with a DNS zone and a
 * registry. For each cluster, creates its resource group and two subnets. Idempotent.
 */
export async function seedNetwork(
  azureUrl: string,
  caPem: string,
  identity: Identity,
  clusters: readonly ClusterRef[],
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  const options = { abortSignal: signal };
  const azure = connectService({ url: azureUrl, caPem, identity, logger });
  const groups = new Set([
    serviceResourceGroup,
    networkResourceGroup,
    ...clusters.map(({ resourceGroup }) => resourceGroup),
  ]);
  await Promise.all(
    [...groups].map((group) => azure.resources.resourceGroups.createOrUpdate(group, { location }, options)),
  );
  const service = { subscriptionId: identity.subscriptionId, resourceGroup: serviceResourceGroup };
  // Hive's network is always created, because any later start may enable Hive.
  await Promise.all([
    azure.dns.zones.createOrUpdate(serviceResourceGroup, embedded.domain, { location: "global" }, options),
    seedServiceNetwork(azure, serviceNetwork({ ...service, hasHive: true }), location, signal),
    seedRegistry(azure, signal),
    seedClusterNetwork(azure, clusters, signal),
  ]);
}

/** Creates the network of the clusters and its missing subnets. */
async function seedClusterNetwork(
  azure: ReturnType<typeof connectService>,
  clusters: readonly ClusterRef[],
  signal: AbortSignal,
): Promise<void> {
  const options = { abortSignal: signal };
  const networks = azure.network.virtualNetworks;
  const network = await networks
    .get(networkResourceGroup, virtualNetwork, options)
    .catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
      const body = { location, addressSpace: { addressPrefixes: [embedded.addressSpace] } };
      return networks.createOrUpdate(networkResourceGroup, virtualNetwork, body, options);
    });
  const subnets = network.subnets ?? [];
  const names = new Set(subnets.map((subnet) => subnet.name));
  const prefixes = new Set(subnets.map((subnet) => subnet.addressPrefix));
  for (const cluster of clusters) {
    for (const name of [`${cluster.name}-master`, `${cluster.name}-worker`]) {
      if (names.has(name)) continue;
      const addressPrefix = firstFree(prefixes);
      prefixes.add(addressPrefix);
      await azure.network.subnets.createOrUpdate(
        networkResourceGroup,
        virtualNetwork,
        name,
        { addressPrefix },
        options,
      );
    }
  }
}

/** Returns the first /24 network in the address space that no subnet uses. */
function firstFree(taken: ReadonlySet<string | undefined>): string {
  for (let i = 0; i < 128 * 256; i++) {
    const prefix = `10.${i >> 8}.${i & 255}.0/24`;
    if (!taken.has(prefix)) return prefix;
  }
  throw new Error(`no free /24 in ${embedded.addressSpace}`);
}
