import { resourceNameOf } from "@keelson/arm";
import { isNotFound } from "@keelson/azure";
import type { ClusterContext } from "../context.ts";
import { azureNames } from "../names.ts";
import { infraIdOf, managedGroupOf } from "./cluster-facts.ts";
import { outboundIpsOf, withOutboundIps } from "./load-balancers.ts";
import { isOutboundIpName, planOutboundIps } from "./outbound-ips.ts";
import { ensurePublicIps } from "./public-ips.ts";

/** Gives outgoing connections as many public addresses as were asked for, and removes those not used any more. */
export async function reconcileLoadBalancerProfile(context: ClusterContext): Promise<void> {
  const { networkProfile } = context.cluster.properties;
  if (networkProfile.outboundType !== "Loadbalancer" || !networkProfile.loadBalancerProfile) return;
  const wanted = await planOutboundIps(context);
  await ensurePublicIps(context, wanted.map(resourceNameOf));
  await updateOutboundRule(context, wanted);
  await deleteUnusedIps(context, wanted);
}

async function updateOutboundRule(context: ClusterContext, wanted: readonly string[]): Promise<void> {
  const { cluster, azure, signal } = context;
  const group = managedGroupOf(cluster);
  const { publicLoadBalancer } = azureNames(infraIdOf(cluster));
  const balancer = await azure.network.loadBalancers.get(group, publicLoadBalancer, azure.call(signal));
  const key = (ids: readonly string[]) => ids.join().toLowerCase();
  if (key(outboundIpsOf(balancer)) === key(wanted)) return;
  await azure.network.loadBalancers.createOrUpdate(
    group,
    publicLoadBalancer,
    withOutboundIps(cluster, balancer),
    azure.call(signal),
  );
}

async function deleteUnusedIps(context: ClusterContext, wanted: readonly string[]): Promise<void> {
  const { cluster, azure, signal } = context;
  const group = managedGroupOf(cluster);
  const used = new Set(wanted.map((id) => resourceNameOf(id).toLowerCase()));
  for await (const { name } of azure.network.publicIPAddresses.list(group, azure.call(signal))) {
    if (!name || !isOutboundIpName(name) || used.has(name.toLowerCase())) continue;
    try {
      await azure.network.publicIPAddresses.delete(group, name, azure.call(signal));
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}
