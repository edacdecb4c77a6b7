import { resourceNameOf } from "@keelson/arm";
import { isNotFound } from "@keelson/azure";
import type { PublicIPAddress } from "../azure-models.ts";
import type { ClusterContext } from "../context.ts";
import { azureNames } from "../names.ts";
import { infraIdOf, managedGroupOf, regionOf } from "./cluster-facts.ts";
import { planOutboundIps } from "./outbound-ips.ts";

/** The public addresses of a cluster whose outgoing connections use a load balancer; others have none. */
export async function createPublicIps(context: ClusterContext): Promise<void> {
  const { properties } = context.cluster;
  if (properties.networkProfile.outboundType !== "Loadbalancer") return;
  const names = azureNames(infraIdOf(context.cluster));
  const outbound = (await planOutboundIps(context)).map(resourceNameOf);
  const wanted = new Set([
    ...(properties.apiserverProfile.visibility === "Public" ? [names.apiPublicIp] : []),
    ...(properties.ingressProfiles[0]?.visibility === "Public" ? [names.ingressPublicIp] : []),
    ...outbound,
  ]);
  await ensurePublicIps(context, [...wanted]);
}

/** Makes those that do not exist. */
export async function ensurePublicIps(context: ClusterContext, names: readonly string[]): Promise<void> {
  await Promise.all(
    names.map(async (name) => {
      if (!(await findPublicIp(context, name))) await createPublicIp(context, name);
    }),
  );
}

async function createPublicIp({ cluster, azure, signal }: ClusterContext, name: string): Promise<void> {
  const zones = cluster.properties.zones;
  const address: PublicIPAddress = {
    location: regionOf(cluster),
    sku: { name: "Standard" },
    publicIPAllocationMethod: "Static",
    ...(zones && zones.length > 0 ? { zones: [...zones] } : {}),
  };
  await azure.network.publicIPAddresses.createOrUpdate(
    managedGroupOf(cluster),
    name,
    address,
    azure.call(signal),
  );
}

export async function findPublicIp(
  { cluster, azure, signal }: ClusterContext,
  name: string,
): Promise<PublicIPAddress | undefined> {
  try {
    return await azure.network.publicIPAddresses.get(managedGroupOf(cluster), name, azure.call(signal));
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
