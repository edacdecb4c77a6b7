import { isNotFound } from "@keelson/azure";
import { managedGroupOf, subnetsOf } from "@keelson/model";
import type { ClusterContext } from "../context/context.ts";

/**
 * Returns the IDs of the subnets that the service may change. These are the requested subnets, and the subnets of the cluster's
 * virtual machines as Azure reports them. Machine objects inside the cluster are not trusted.
 */
export async function clusterSubnetIds(context: ClusterContext): Promise<readonly string[]> {
  const ids = new Map(subnetsOf(context.cluster).map(({ id }) => [id.toLowerCase(), id]));
  for (const id of await subnetsOfMachines(context))
    if (!ids.has(id.toLowerCase())) ids.set(id.toLowerCase(), id);
  return [...ids.values()];
}

async function subnetsOfMachines({ cluster, azure, signal }: ClusterContext): Promise<readonly string[]> {
  const found: string[] = [];
  try {
    for await (const nic of azure.network.networkInterfaces.list(managedGroupOf(cluster), azure.call(signal)))
      found.push(...(nic.ipConfigurations ?? []).flatMap(({ subnet }) => subnet?.id ?? []));
  } catch (error) {
    // While a cluster is being created, its managed resource group may not exist yet.
    if (!isNotFound(error)) throw error;
  }
  return found;
}
