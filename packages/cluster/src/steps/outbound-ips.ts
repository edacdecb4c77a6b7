import { randomUUID } from "node:crypto";
import { resourceNameOf } from "@keelson/arm";
import type { OpenShiftCluster } from "@keelson/model";
import type { ClusterContext } from "../context.ts";
import { azureNames } from "../names.ts";
import { infraIdOf, networkId } from "./cluster-facts.ts";
import { withProperties } from "./identifiers.ts";

const outboundSuffix = "-outbound-pip-v4";

/** True for a public IP address that the service made for outgoing connections. */
export function isOutboundIpName(name: string): boolean {
  return name.endsWith(outboundSuffix);
}

/**
 * Decides which public addresses outgoing connections use, and stores that before any of them is made: a second
 * try makes the same ones. The API server's address comes first, then those that are there already.
 */
export async function planOutboundIps({ update }: ClusterContext): Promise<readonly string[]> {
  const spare = Array.from({ length: maximumCount }, () => `${randomUUID()}${outboundSuffix}`);
  const cluster = await update((current) => {
    const { networkProfile } = current.properties;
    const { loadBalancerProfile } = networkProfile;
    if (networkProfile.outboundType !== "Loadbalancer" || !loadBalancerProfile?.managedOutboundIps)
      return current;
    const wanted = wantedIds(current, loadBalancerProfile.managedOutboundIps.count, spare);
    const effective = loadBalancerProfile.effectiveOutboundIps?.map(({ id }) => id) ?? [];
    if (wanted.join() === effective.join()) return current;
    const effectiveOutboundIps = wanted.map((id) => ({ id }));
    return withProperties(current, {
      networkProfile: {
        ...networkProfile,
        loadBalancerProfile: { ...loadBalancerProfile, effectiveOutboundIps },
      },
    });
  });
  return (
    cluster.properties.networkProfile.loadBalancerProfile?.effectiveOutboundIps?.map(({ id }) => id) ?? []
  );
}

/** As the API allows; static validation refuses more. */
const maximumCount = 20;

function wantedIds(
  cluster: OpenShiftCluster,
  count: number,
  spareNames: readonly string[],
): readonly string[] {
  const apiIp = networkId(cluster, "publicIPAddresses", azureNames(infraIdOf(cluster)).apiPublicIp);
  const isPublic = cluster.properties.apiserverProfile.visibility === "Public";
  const present = cluster.properties.networkProfile.loadBalancerProfile?.effectiveOutboundIps ?? [];
  const kept = present.map(({ id }) => id).filter((id) => isOutboundIpName(resourceNameOf(id)));
  const fresh = spareNames.map((name) => networkId(cluster, "publicIPAddresses", name));
  return [...(isPublic ? [apiIp] : []), ...kept, ...fresh].slice(0, Math.max(count, isPublic ? 1 : 0));
}
