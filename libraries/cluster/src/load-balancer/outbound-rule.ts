import { resourceNameOf } from "@keelson/arm";
import { retryAdvice, unlessGone } from "@keelson/azure";
import { messageOf } from "@keelson/base";
import { azureNames, infraIdOf, managedGroupOf } from "@keelson/model";
import type { LoadBalancer } from "../context/azure-models.ts";
import type { ClusterContext } from "../context/context.ts";
import { outboundIpsOf, withOutboundIps } from "./load-balancers.ts";
import {
  chooseOutboundIps,
  isOutboundIpName,
  outboundIpCount,
  outboundIpIds,
  spareNames,
  storeOutboundIps,
} from "./outbound-ips.ts";
import { ensurePublicIps } from "./public-ips.ts";

/**
 * Sets the requested number of outbound addresses. Removes unused addresses, including addresses that failed attempts created.
 */
export async function reconcileLoadBalancerProfile(context: ClusterContext): Promise<void> {
  const count = outboundIpCount(context.cluster);
  if (count === undefined) return;
  try {
    await useOutboundIps(context, count);
  } catch (error) {
    // The created addresses are deleted only after a terminal error. After other errors, a retry uses these addresses.
    if (retryAdvice(error).kind === "terminal") await tryToClearUp(context);
    throw error;
  }
  await deleteUnusedIps(context);
}

/**
 * Sets the outbound addresses. Current addresses are used first, then addresses that an earlier attempt created, then new
 * addresses. The document contains an address only after Azure uses it.
 */
async function useOutboundIps(context: ClusterContext, count: number): Promise<void> {
  const { cluster } = context;
  const balancer = await readBalancer(context);
  const inUse = outboundIpsOf(balancer).map(resourceNameOf);
  await storeOutboundIps(context, inUse);
  const names = [...inUse, ...(await outboundIpNames(context)), ...spareNames()];
  const wanted = chooseOutboundIps(cluster, count, names);
  await ensurePublicIps(context, wanted);
  if (wanted.join().toLowerCase() !== inUse.join().toLowerCase())
    await writeBalancer(context, outboundIpIds(cluster, wanted), balancer);
  await storeOutboundIps(context, wanted);
}

async function tryToClearUp(context: ClusterContext): Promise<void> {
  try {
    await deleteUnusedIps(context);
  } catch (error) {
    context.logger.warn({ reason: messageOf(error) }, "unused public addresses are left behind");
  }
}

async function deleteUnusedIps(context: ClusterContext): Promise<void> {
  const { cluster, azure, signal } = context;
  const group = managedGroupOf(cluster);
  const { publicIPAddresses } = azure.network;
  const used = new Set(outboundIpsOf(await readBalancer(context)).map((id) => nameKey(resourceNameOf(id))));
  for (const name of await outboundIpNames(context)) {
    if (used.has(nameKey(name))) continue;
    await unlessGone(() => publicIPAddresses.delete(group, name, azure.call(signal)));
  }
}

function nameKey(name: string): string {
  return name.toLowerCase();
}

async function outboundIpNames({ cluster, azure, signal }: ClusterContext): Promise<readonly string[]> {
  const listed = azure.network.publicIPAddresses.list(managedGroupOf(cluster), azure.call(signal));
  const names = await Array.fromAsync(listed, ({ name = "" }) => name);
  return names.filter(isOutboundIpName);
}

function readBalancer({ cluster, azure, signal }: ClusterContext): Promise<LoadBalancer> {
  const { publicLoadBalancer } = azureNames(infraIdOf(cluster));
  const { loadBalancers } = azure.network;
  return loadBalancers.get(managedGroupOf(cluster), publicLoadBalancer, azure.call(signal));
}

async function writeBalancer(
  { cluster, azure, signal }: ClusterContext,
  wanted: readonly string[],
  balancer: LoadBalancer,
): Promise<void> {
  const { publicLoadBalancer } = azureNames(infraIdOf(cluster));
  const changed = withOutboundIps(cluster, balancer, wanted);
  const { loadBalancers } = azure.network;
  await loadBalancers.createOrUpdate(
    managedGroupOf(cluster),
    publicLoadBalancer,
    changed,
    azure.call(signal),
  );
}
