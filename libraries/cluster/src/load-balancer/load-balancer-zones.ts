import { azureNames, controlPlaneReplicas, infraIdOf, managedGroupOf, withProperties } from "@keelson/model";
import type { LoadBalancer } from "../context/azure-models.ts";
import type { ClusterContext } from "../context/context.ts";
import { internalFrontend, internalLoadBalancer } from "./load-balancers.ts";

const temporaryFrontend = "zone-migration-ip";

/**
 * Moves the internal load balancer's address to the masters' zones (Azure/ARO-RP pkg/cluster/loadbalancerinternal.go). Azure
 * cannot change the zones of an existing address. The address and its rules are therefore removed and added again. During this
 * time, a temporary address keeps the load balancer valid. Each stage starts from the current state in Azure, so the migration
 * survives a crash.
 */
export async function migrateInternalLoadBalancerZones(context: ClusterContext): Promise<void> {
  const zones = await masterZones(context);
  if (zones.length === 0) return;
  const { intIp } = context.cluster.properties.apiserverProfile;
  if (!intIp) throw new Error("the cluster's internal address is not known");
  let balancer = await readBalancer(context);
  for (;;) {
    const next = nextStage(balancer, internalLoadBalancer(context.cluster), zones, intIp);
    if (!next) break;
    context.logger.info({ zones }, "moving the internal load balancer's address");
    balancer = await writeBalancer(context, next);
  }
  await context.update((cluster) =>
    cluster.properties.zones?.join() === zones.join() ? cluster : withProperties(cluster, { zones }),
  );
}

/**
 * Returns the load balancer after the next stage of the migration. Undefined if the migration is complete: the zonal address is
 * the only address.
 */
export function nextStage(
  balancer: LoadBalancer,
  wanted: LoadBalancer,
  zones: readonly string[],
  address: string,
): LoadBalancer | undefined {
  const frontends = balancer.frontendIPConfigurations ?? [];
  const own = frontends.find(({ name }) => name === internalFrontend);
  const temporary = frontends.find(({ name }) => name === temporaryFrontend);
  const [template] = wanted.frontendIPConfigurations ?? [];
  const others = frontends.filter((each) => each !== own && each !== temporary);
  if ((own?.zones ?? []).length > 0) {
    return temporary
      ? { ...balancer, frontendIPConfigurations: frontends.filter((each) => each !== temporary) }
      : undefined;
  }
  const zonal = { ...template, zones: [...zones] };
  if (own && !temporary) {
    const standIn = { ...zonal, name: temporaryFrontend, privateIPAllocationMethod: "Dynamic" };
    return { ...balancer, frontendIPConfigurations: [...frontends, standIn] };
  }
  const isOwnRule = (name = "") => (wanted.loadBalancingRules ?? []).some((rule) => rule.name === name);
  const otherRules = (balancer.loadBalancingRules ?? []).filter(({ name }) => !isOwnRule(name));
  if (own) {
    return {
      ...balancer,
      frontendIPConfigurations: frontends.filter((each) => each !== own),
      loadBalancingRules: otherRules,
    };
  }
  const replaced = { ...zonal, privateIPAllocationMethod: "Static", privateIPAddress: address };
  return {
    ...balancer,
    frontendIPConfigurations: [...others, ...(temporary ? [temporary] : []), replaced],
    loadBalancingRules: [...otherRules, ...(wanted.loadBalancingRules ?? [])],
  };
}

async function masterZones({ cluster, azure, signal }: ClusterContext): Promise<readonly string[]> {
  const prefix = `${infraIdOf(cluster)}-master-`;
  const zones = new Set<string>();
  let masters = 0;
  for await (const machine of azure.compute.virtualMachines.list(
    managedGroupOf(cluster),
    azure.call(signal),
  )) {
    if (!machine.name?.startsWith(prefix)) continue;
    masters++;
    for (const zone of machine.zones ?? []) zones.add(zone);
  }
  if (masters < controlPlaneReplicas)
    throw new Error(`${masters} masters were found, not ${controlPlaneReplicas}`);
  return [...zones].sort();
}

function readBalancer({ cluster, azure, signal }: ClusterContext): Promise<LoadBalancer> {
  const name = azureNames(infraIdOf(cluster)).internalLoadBalancer;
  return azure.network.loadBalancers.get(managedGroupOf(cluster), name, azure.call(signal));
}

async function writeBalancer(
  { cluster, azure, signal }: ClusterContext,
  balancer: LoadBalancer,
): Promise<LoadBalancer> {
  const name = azureNames(infraIdOf(cluster)).internalLoadBalancer;
  return azure.network.loadBalancers.createOrUpdate(
    managedGroupOf(cluster),
    name,
    balancer,
    azure.call(signal),
  );
}
