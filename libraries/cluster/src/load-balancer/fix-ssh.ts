import { sameResource } from "@keelson/arm";
import { azureNames, infraIdOf, managedGroupOf, networkId } from "@keelson/model";
import type { LoadBalancer, NetworkInterface } from "../context/azure-models.ts";
import type { ClusterContext } from "../context/context.ts";
import { internalLoadBalancer } from "./load-balancers.ts";

/**
 * Repairs SSH access to the masters (Azure/ARO-RP pkg/cluster/fixssh.go). The function repairs the pools, rules and probe of the
 * internal load balancer, and the pools of the masters' network interfaces. It also removes network interfaces of replaced
 * masters.
 */
export async function fixSSH(context: ClusterContext): Promise<void> {
  await repairLoadBalancer(context);
  const { cluster, azure, signal } = context;
  const group = managedGroupOf(cluster);
  for await (const nic of azure.network.networkInterfaces.list(group, azure.call(signal))) {
    const index = masterIndexOf(nic.name ?? "", infraIdOf(cluster));
    if (index === undefined || !isInMasterSubnet(context, nic)) continue;
    if (nic.virtualMachine) await repairInterface(context, nic, index);
    else await removeOrphan(context, nic);
  }
}

async function repairLoadBalancer({ cluster, azure, signal }: ClusterContext): Promise<void> {
  const group = managedGroupOf(cluster);
  const name = azureNames(infraIdOf(cluster)).internalLoadBalancer;
  const balancer = await azure.network.loadBalancers.get(group, name, azure.call(signal));
  const repaired = withSsh(balancer, internalLoadBalancer(cluster));
  if (repaired === balancer) return;
  await azure.network.loadBalancers.createOrUpdate(group, name, repaired, azure.call(signal));
}

/** Adds the SSH configuration of `wanted` to `balancer`. Returns `balancer` itself if it already contains this configuration. */
export function withSsh(balancer: LoadBalancer, wanted: LoadBalancer): LoadBalancer {
  const pools = missing(balancer.backendAddressPools, wanted.backendAddressPools);
  const rules = missing(balancer.loadBalancingRules, wanted.loadBalancingRules);
  const probes = missing(balancer.probes, wanted.probes);
  if (pools.length + rules.length + probes.length === 0) return balancer;
  return {
    ...balancer,
    backendAddressPools: [...(balancer.backendAddressPools ?? []), ...pools],
    loadBalancingRules: [...(balancer.loadBalancingRules ?? []), ...rules],
    probes: [...(balancer.probes ?? []), ...probes],
  };
}

function missing<T extends { readonly name?: string }>(
  present: readonly T[] | undefined,
  wanted: readonly T[] | undefined,
): readonly T[] {
  const names = new Set(present?.map(({ name }) => name?.toLowerCase()));
  return (wanted ?? []).filter(({ name = "" }) => name.startsWith("ssh") && !names.has(name));
}

/**
 * Returns the index (0 to 2) of the master with this network interface. Also recognizes the interface names of replacement
 * masters, which contain a random string.
 */
export function masterIndexOf(nicName: string, infraId: string): number | undefined {
  if (!nicName.startsWith(`${infraId}-`)) return undefined;
  const index = /^master(?:-[a-z0-9]+-|-)?([0-2])-nic$/.exec(nicName.slice(infraId.length + 1))?.[1];
  return index === undefined ? undefined : Number(index);
}

function isInMasterSubnet({ cluster }: ClusterContext, nic: NetworkInterface): boolean {
  const { subnetId } = cluster.properties.masterProfile;
  return (nic.ipConfigurations ?? []).every(({ subnet }) => !subnet?.id || sameResource(subnet.id, subnetId));
}

async function repairInterface(context: ClusterContext, nic: NetworkInterface, index: number): Promise<void> {
  const { cluster, azure, signal } = context;
  const names = azureNames(infraIdOf(cluster));
  const pool = (balancer: string, name: string) =>
    `${networkId(cluster, "loadBalancers", balancer)}/backendAddressPools/${name}`;
  const isOutbound = cluster.properties.networkProfile.outboundType === "Loadbalancer";
  const wanted = [
    pool(names.internalLoadBalancer, infraIdOf(cluster)),
    pool(names.internalLoadBalancer, `ssh-${index}`),
    ...(isOutbound ? [pool(names.publicLoadBalancer, infraIdOf(cluster))] : []),
  ];
  const ipConfigurations = (nic.ipConfigurations ?? []).map((each) => {
    const present = each.loadBalancerBackendAddressPools ?? [];
    const poolIds = withPools(
      present.map(({ id }) => id ?? ""),
      wanted,
    );
    return poolIds ? { ...each, loadBalancerBackendAddressPools: poolIds.map((id) => ({ id })) } : each;
  });
  if (ipConfigurations.every((each, i) => each === nic.ipConfigurations?.[i])) return;
  await azure.network.networkInterfaces.createOrUpdate(
    managedGroupOf(cluster),
    nic.name ?? "",
    { ...nic, ipConfigurations },
    azure.call(signal),
  );
}

/**
 * Returns the backend pools of a network interface: the current pools without the SSH pools of other masters, plus `wanted`.
 * Undefined if nothing changes.
 */
export function withPools(
  present: readonly string[],
  wanted: readonly string[],
): readonly string[] | undefined {
  const isWanted = (id: string) => wanted.some((each) => sameResource(each, id));
  const kept = present.filter((id) => isWanted(id) || !/\/backendAddressPools\/ssh-\d+$/i.test(id));
  const added = wanted.filter((id) => !kept.some((each) => sameResource(each, id)));
  return added.length === 0 && kept.length === present.length ? undefined : [...kept, ...added];
}

async function removeOrphan(
  { cluster, azure, signal, logger }: ClusterContext,
  { name = "" }: NetworkInterface,
): Promise<void> {
  logger.info({ networkInterface: name }, "removing the network interface of a master that is gone");
  await azure.network.networkInterfaces.delete(managedGroupOf(cluster), name, azure.call(signal));
}
