import { resourceNameOf, sameResource } from "@keelson/arm";
import {
  azureNames,
  controlPlaneReplicas,
  infraIdOf,
  networkId,
  type OpenShiftCluster,
  regionOf,
} from "@keelson/model";
import type { LoadBalancer } from "../context/azure-models.ts";

const idleTimeoutInMinutes = 30;
const probeTimes = { intervalInSeconds: 5, numberOfProbes: 2 } as const;
const apiProbe = {
  name: "api-internal-probe",
  protocol: "Https",
  port: 6443,
  requestPath: "/readyz",
  ...probeTimes,
};
const outboundRule = "outbound-rule-v4";
const publicFrontend = "public-lb-ip-v4";
export const internalFrontend = "internal-lb-ip-v4";

/** Returns the internal load balancer. It serves the API server, the machine config server and SSH to the masters. */
export function internalLoadBalancer(cluster: OpenShiftCluster): LoadBalancer {
  const infraId = infraIdOf(cluster);
  const zones = cluster.properties.zones;
  const part = partOf(cluster, azureNames(infraId).internalLoadBalancer);
  const frontend = internalFrontend;
  const rule = (name: string, pool: string, probe: string, ports: readonly [number, number]) => ({
    name,
    frontendIPConfiguration: part("frontendIPConfigurations", frontend),
    backendAddressPool: part("backendAddressPools", pool),
    probe: part("probes", probe),
    protocol: "Tcp",
    loadDistribution: "Default",
    frontendPort: ports[0],
    backendPort: ports[1],
    idleTimeoutInMinutes,
  });
  const ssh = Array.from({ length: controlPlaneReplicas }, (_, index) => `ssh-${index}`);
  return {
    location: regionOf(cluster),
    sku: { name: "Standard" },
    frontendIPConfigurations: [
      {
        name: frontend,
        privateIPAllocationMethod: "Dynamic",
        subnet: { id: cluster.properties.masterProfile.subnetId },
        ...(zones && zones.length > 0 ? { zones: [...zones] } : {}),
      },
    ],
    backendAddressPools: [{ name: infraId }, ...ssh.map((name) => ({ name }))],
    loadBalancingRules: [
      { ...rule("api-internal-v4", infraId, apiProbe.name, [6443, 6443]), disableOutboundSnat: true },
      rule("sint-v4", infraId, "sint-probe", [22623, 22623]),
      ...ssh.map((name, index) => ({
        ...rule(name, name, "ssh", [2200 + index, 22]),
        disableOutboundSnat: true,
      })),
    ],
    probes: [
      apiProbe,
      { name: "sint-probe", protocol: "Https", port: 22623, requestPath: "/healthz", ...probeTimes },
      { name: "ssh", protocol: "Tcp", port: 22, ...probeTimes },
    ],
  };
}

/**
 * Returns the public load balancer for the outbound connections of the machines. If the API server is public, the load balancer
 * also forwards connections to the API server.
 */
export function publicLoadBalancer(cluster: OpenShiftCluster): LoadBalancer {
  const infraId = infraIdOf(cluster);
  const names = azureNames(infraId);
  const part = partOf(cluster, names.publicLoadBalancer);
  const isPublic = cluster.properties.apiserverProfile.visibility === "Public";
  const empty: LoadBalancer = {
    location: regionOf(cluster),
    sku: { name: "Standard" },
    frontendIPConfigurations: [],
    backendAddressPools: [{ name: infraId }],
    loadBalancingRules: [],
    probes: [],
    outboundRules: [
      {
        name: outboundRule,
        frontendIPConfigurations: [],
        backendAddressPool: part("backendAddressPools", infraId),
        protocol: "All",
        idleTimeoutInMinutes,
      },
    ],
  };
  const withApi: LoadBalancer = {
    ...empty,
    frontendIPConfigurations: [
      {
        name: publicFrontend,
        publicIPAddress: { id: networkId(cluster, "publicIPAddresses", names.apiPublicIp) },
      },
    ],
    loadBalancingRules: [
      {
        name: "api-internal-v4",
        frontendIPConfiguration: part("frontendIPConfigurations", publicFrontend),
        backendAddressPool: part("backendAddressPools", infraId),
        probe: part("probes", apiProbe.name),
        protocol: "Tcp",
        loadDistribution: "Default",
        frontendPort: 6443,
        backendPort: 6443,
        idleTimeoutInMinutes,
        disableOutboundSnat: true,
      },
    ],
    probes: [apiProbe],
  };
  const outbound = cluster.properties.networkProfile.loadBalancerProfile?.effectiveOutboundIps ?? [];
  return withOutboundIps(
    cluster,
    isPublic ? withApi : empty,
    outbound.map(({ id }) => id),
  );
}

/**
 * Replaces the public addresses of the outbound rule with the addresses that have the IDs `wanted`. Removes frontends that were
 * used only by this rule. Does not remove frontends with load balancing rules, because the cluster created them for its Services.
 */
export function withOutboundIps(
  cluster: OpenShiftCluster,
  loadBalancer: LoadBalancer,
  wanted: readonly string[],
): LoadBalancer {
  const part = partOf(cluster, azureNames(infraIdOf(cluster)).publicLoadBalancer);
  const frontends = loadBalancer.frontendIPConfigurations ?? [];
  const used = new Set(
    loadBalancer.outboundRules?.flatMap(({ name, frontendIPConfigurations }) =>
      name === outboundRule ? (frontendIPConfigurations ?? []).map(({ id }) => resourceNameOf(id ?? "")) : [],
    ),
  );
  const isWanted = (addressId: string | undefined) =>
    addressId !== undefined && wanted.some((id) => sameResource(id, addressId));
  const kept = frontends.filter(
    ({ name, publicIPAddress, loadBalancingRules }) =>
      name === publicFrontend ||
      !used.has(name ?? "") ||
      isWanted(publicIPAddress?.id) ||
      (loadBalancingRules ?? []).length > 0,
  );
  const added = wanted
    .filter((id) => !kept.some(({ publicIPAddress }) => sameResource(publicIPAddress?.id ?? "", id)))
    .map((id) => ({ name: resourceNameOf(id), publicIPAddress: { id } }));
  const all = [...kept, ...added];
  const outbound = wanted.flatMap((id) => {
    const frontend = all.find(({ publicIPAddress }) => sameResource(publicIPAddress?.id ?? "", id));
    return frontend?.name ? [part("frontendIPConfigurations", frontend.name)] : [];
  });
  return {
    ...loadBalancer,
    frontendIPConfigurations: all,
    outboundRules: (loadBalancer.outboundRules ?? []).map((rule) =>
      rule.name === outboundRule ? { ...rule, frontendIPConfigurations: outbound } : rule,
    ),
  };
}

/** Returns the IDs of the load balancer's current outbound addresses. */
export function outboundIpsOf(loadBalancer: LoadBalancer): readonly string[] {
  const rule = loadBalancer.outboundRules?.find(({ name }) => name === outboundRule);
  return (rule?.frontendIPConfigurations ?? []).flatMap(({ id }) => {
    const name = resourceNameOf(id ?? "");
    const frontend = loadBalancer.frontendIPConfigurations?.find((each) => each.name === name);
    return frontend?.publicIPAddress?.id ? [frontend.publicIPAddress.id] : [];
  });
}

function partOf(cluster: OpenShiftCluster, loadBalancer: string) {
  const id = networkId(cluster, "loadBalancers", loadBalancer);
  return (kind: "frontendIPConfigurations" | "backendAddressPools" | "probes", name: string) => ({
    id: `${id}/${kind}/${name}`,
  });
}
