import { resourceNameOf } from "@keelson/arm";
import { unlessGone } from "@keelson/azure";
import { allSucceeded } from "@keelson/base";
import { azureNames, infraIdOf, managedGroupOf, type OpenShiftCluster, regionOf } from "@keelson/model";
import type { PublicIPAddress } from "../context/azure-models.ts";
import type { ClusterContext } from "../context/context.ts";

/** Returns the names of a cluster's public addresses. Empty for clusters without an outbound load balancer. */
export function publicIpNames(cluster: OpenShiftCluster): readonly string[] {
  const { properties } = cluster;
  const { outboundType, loadBalancerProfile } = properties.networkProfile;
  if (outboundType !== "Loadbalancer") return [];
  const names = azureNames(infraIdOf(cluster));
  const outbound = loadBalancerProfile?.effectiveOutboundIps ?? [];
  const wanted = new Set([
    ...(properties.apiserverProfile.visibility === "Public" ? [names.apiPublicIp] : []),
    ...(properties.ingressProfiles[0]?.visibility === "Public" ? [names.ingressPublicIp] : []),
    ...outbound.map(({ id }) => resourceNameOf(id)),
  ]);
  return [...wanted];
}

/** Returns a static public address in all zones of the cluster. */
export function publicIp(cluster: OpenShiftCluster): PublicIPAddress {
  const { zones = [] } = cluster.properties;
  return {
    location: regionOf(cluster),
    sku: { name: "Standard" },
    publicIPAllocationMethod: "Static",
    ...(zones.length > 0 ? { zones: [...zones] } : {}),
  };
}

/** Creates missing addresses concurrently. If one creation fails, rejects only after all other creations have ended. */
export async function ensurePublicIps(context: ClusterContext, names: readonly string[]): Promise<void> {
  await allSucceeded(
    names.map(async (name) => {
      if (!(await findPublicIp(context, name))) await createPublicIp(context, name);
    }),
  );
}

async function createPublicIp({ cluster, azure, signal }: ClusterContext, name: string): Promise<void> {
  const group = managedGroupOf(cluster);
  await azure.network.publicIPAddresses.createOrUpdate(group, name, publicIp(cluster), azure.call(signal));
}

export async function findPublicIp(
  { cluster, azure, signal }: ClusterContext,
  name: string,
): Promise<PublicIPAddress | undefined> {
  return unlessGone(() =>
    azure.network.publicIPAddresses.get(managedGroupOf(cluster), name, azure.call(signal)),
  );
}
