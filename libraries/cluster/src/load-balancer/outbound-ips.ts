import { randomUUID } from "node:crypto";
import { resourceNameOf } from "@keelson/arm";
import { azureNames, infraIdOf, networkId, type OpenShiftCluster, withProperties } from "@keelson/model";
import type { ClusterContext } from "../context/context.ts";

const outboundSuffix = "-outbound-pip-v4";

/** True for a public IP address that the service created for outgoing connections. */
export function isOutboundIpName(name: string): boolean {
  return name.endsWith(outboundSuffix);
}

/**
 * Returns the requested number of public outbound addresses. Undefined if the service does not manage the outbound addresses.
 * Also undefined for clusters of architecture version 0, because they always have one address.
 */
export function outboundIpCount({ properties }: OpenShiftCluster): number | undefined {
  const { outboundType, loadBalancerProfile } = properties.networkProfile;
  if (properties.architectureVersion === firstArchitecture) return undefined;
  return outboundType === "Loadbalancer" ? loadBalancerProfile?.managedOutboundIps?.count : undefined;
}

const firstArchitecture = 0;

/**
 * Chooses the outbound addresses of a new cluster, and stores their names before they are created. A repeated attempt therefore
 * creates addresses with the same names.
 */
export async function planOutboundIps({ update }: ClusterContext): Promise<void> {
  const spare = spareNames();
  await update((current) => {
    const count = outboundIpCount(current);
    const present = effectiveOutboundIps(current).map(resourceNameOf);
    return count === undefined
      ? current
      : withOutbound(current, chooseOutboundIps(current, count, [...present, ...spare]));
  });
}

/** Stores the names of the outbound addresses. */
export async function storeOutboundIps({ update }: ClusterContext, names: readonly string[]): Promise<void> {
  await update((current) => withOutbound(current, names));
}

export function outboundIpIds(cluster: OpenShiftCluster, names: readonly string[]): readonly string[] {
  return names.map((name) => networkId(cluster, "publicIPAddresses", name));
}

/**
 * Chooses the requested number of addresses. If the API server is public, its address comes first. The remaining addresses come
 * from `names`, in this order.
 */
export function chooseOutboundIps(
  cluster: OpenShiftCluster,
  count: number,
  names: readonly string[],
): readonly string[] {
  const { apiPublicIp } = azureNames(infraIdOf(cluster));
  const isPublic = cluster.properties.apiserverProfile.visibility === "Public";
  const own = names.filter((name) => name === apiPublicIp || isOutboundIpName(name));
  const all = new Set([...(isPublic ? [apiPublicIp] : []), ...own]);
  return [...all].slice(0, Math.max(count, isPublic ? 1 : 0));
}

/** Generates names for new addresses, more than any request needs. */
export function spareNames(): readonly string[] {
  return Array.from({ length: maximumCount }, () => `${randomUUID()}${outboundSuffix}`);
}

/** Maximum number of outbound addresses that a request may specify. The static validation enforces this limit. */
const maximumCount = 20;

function effectiveOutboundIps({ properties }: OpenShiftCluster): readonly string[] {
  return (properties.networkProfile.loadBalancerProfile?.effectiveOutboundIps ?? []).map(({ id }) => id);
}

function withOutbound(cluster: OpenShiftCluster, names: readonly string[]): OpenShiftCluster {
  const ids = outboundIpIds(cluster, names);
  if (ids.join() === effectiveOutboundIps(cluster).join()) return cluster;
  const { networkProfile } = cluster.properties;
  const effective = { effectiveOutboundIps: ids.map((id) => ({ id })) };
  const loadBalancerProfile = { ...networkProfile.loadBalancerProfile, ...effective };
  return withProperties(cluster, { networkProfile: { ...networkProfile, loadBalancerProfile } });
}
