import { CloudError } from "@keelson/arm";
import { type AzureClients, isNotFound } from "@keelson/azure";
import { azureNames, infraIdOf, managedGroupOf, type OpenShiftCluster } from "@keelson/model";

/** Number of outbound ports that one public address provides for all machines. */
const portsPerAddress = 63_992;
const portsPerMachine = 1_024;

const profile = "properties.networkProfile.loadBalancerProfile";

/**
 * Checks that Azure's quota permits the requested number of public addresses. Also checks that these addresses provide enough
 * ports for the machines.
 */
export async function validateLoadBalancerProfile(
  azure: AzureClients,
  cluster: OpenShiftCluster,
  signal: AbortSignal,
): Promise<void> {
  const { provisioningState, networkProfile } = cluster.properties;
  if (networkProfile.outboundType === "UserDefinedRouting") return;
  const count = networkProfile.loadBalancerProfile?.managedOutboundIps?.count;
  if (count !== undefined) await checkQuota(azure, cluster, additionalAddresses(cluster, count), signal);
  if (provisioningState === "Creating") return;
  checkPorts(count ?? 0, await machinesBehind(azure, cluster, signal));
}

/** Returns the number of public addresses that the operation must create in addition to existing ones. */
function additionalAddresses({ properties }: OpenShiftCluster, count: number): number {
  const { provisioningState, ingressProfiles, networkProfile } = properties;
  if (provisioningState === "Creating") return count + (ingressProfiles[0]?.visibility === "Public" ? 1 : 0);
  return count - (networkProfile.loadBalancerProfile?.effectiveOutboundIps?.length ?? 0);
}

async function checkQuota(
  { network }: AzureClients,
  { location }: OpenShiftCluster,
  additional: number,
  abortSignal: AbortSignal,
): Promise<void> {
  for await (const { name, limit, currentValue } of network.usages.list(location, { abortSignal })) {
    if (name.value !== "PublicIPAddresses" || additional <= 0 || additional <= limit - currentValue) continue;
    throw new CloudError(
      "ResourceQuotaExceeded",
      `Resource quota of ${name.value} exceeded. Maximum allowed: ${limit}, Current in use: ${currentValue}, Additional requested: ${additional}.`,
      { target: `${profile}.ManagedOutboundIPs.Count` },
    );
  }
}

/**
 * Checks that `addresses` provide enough ports for `machines`.
 * @throws CloudError if there are too few ports
 */
export function checkPorts(addresses: number, machines: number): void {
  const ports = addresses * portsPerAddress;
  if (machines <= Math.floor(ports / portsPerMachine)) return;
  throw new CloudError(
    "InvalidParameter",
    `Insufficient frontend ports to support the backend instance count.  Total frontend ports: ${ports}, Required frontend ports: ${machines * portsPerMachine}, Total backend instances: ${machines}`,
    { target: profile },
  );
}

async function machinesBehind(
  azure: AzureClients,
  cluster: OpenShiftCluster,
  signal: AbortSignal,
): Promise<number> {
  const name = azureNames(infraIdOf(cluster)).publicLoadBalancer;
  const { loadBalancerBackendAddressPools } = azure.network;
  try {
    const pool = await loadBalancerBackendAddressPools.get(
      managedGroupOf(cluster),
      name,
      name,
      azure.call(signal),
    );
    return pool.backendIPConfigurations?.length ?? 0;
  } catch (error) {
    // Without a load balancer, there are no machines behind it yet. The update creates the load balancer.
    if (isNotFound(error)) return 0;
    throw error;
  }
}
