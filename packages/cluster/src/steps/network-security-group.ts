import { CloudError, sameResource } from "@keelson/arm";
import { isPreconditionFailed } from "@keelson/azure";
import { backoffMs } from "@keelson/base";
import type { NetworkSecurityGroup } from "../azure-models.ts";
import type { ClusterContext } from "../context.ts";
import { azureNames } from "../names.ts";
import {
  firstWorkerProfile,
  infraIdOf,
  managedGroupOf,
  networkSecurityGroupId,
  parseSubnetId,
  regionOf,
} from "./cluster-facts.ts";

/** The group of the cluster's subnets; it lets clients in to a public API server. */
export async function createNetworkSecurityGroup({ cluster, azure, signal }: ClusterContext): Promise<void> {
  const isPublic = cluster.properties.apiserverProfile.visibility === "Public";
  const group: NetworkSecurityGroup = {
    location: regionOf(cluster),
    ...(isPublic ? { securityRules: [apiServerRule] } : {}),
  };
  const { networkSecurityGroup } = azureNames(infraIdOf(cluster));
  await azure.network.networkSecurityGroups.createOrUpdate(
    managedGroupOf(cluster),
    networkSecurityGroup,
    group,
    azure.call(signal),
  );
}

const apiServerRule = {
  name: "apiserver_in",
  protocol: "Tcp",
  sourcePortRange: "*",
  destinationPortRange: "6443",
  sourceAddressPrefix: "*",
  destinationAddressPrefix: "*",
  access: "Allow",
  priority: 120,
  direction: "Inbound",
} as const;

/**
 * Puts the group on the subnets of the masters and of the first workers, unless the customer brought their own.
 * @throws CloudError InvalidLinkedVNet when another group has got there since the validation
 */
export async function attachNSGs(context: ClusterContext): Promise<void> {
  const { cluster } = context;
  if (cluster.properties.networkProfile.preconfiguredNSG === "Enabled") return;
  const subnetIds = new Set([
    cluster.properties.masterProfile.subnetId,
    firstWorkerProfile(cluster).subnetId,
  ]);
  for (const subnetId of subnetIds) {
    await changeGroupOfSubnet(context, subnetId, (current) => {
      const own = networkSecurityGroupId(cluster);
      if (current === undefined || sameResource(current, own)) return own;
      throw new CloudError(
        "InvalidLinkedVNet",
        `The provided subnet '${subnetId}' is invalid: must not have a network security group attached.`,
      );
    });
  }
}

/** Every write in a virtual network changes the ETags of all its subnets, so there may be many conflicts. */
const conflictBackoff = { attempts: 30, firstMs: 30, factor: 1.5, maxMs: 1_000, jitter: 0.8 };

/**
 * Sets the network security group of a subnet to what `change` makes of the current one. Others write subnets
 * too: each write carries the ETag that was read, and is made again when it does not hold.
 */
export async function changeGroupOfSubnet(
  { azure, signal, clock }: ClusterContext,
  subnetId: string,
  change: (currentId: string | undefined) => string | undefined,
): Promise<void> {
  const { resourceGroup, virtualNetwork, name } = parseSubnetId(subnetId);
  for (let attempt = 1; ; attempt++) {
    const subnet = await azure.network.subnets.get(resourceGroup, virtualNetwork, name, azure.call(signal));
    const currentId = subnet.networkSecurityGroup?.id;
    const wantedId = change(currentId);
    if (wantedId?.toLowerCase() === currentId?.toLowerCase()) return;
    const { networkSecurityGroup: _, ...rest } = subnet;
    try {
      await azure.network.subnets.createOrUpdate(
        resourceGroup,
        virtualNetwork,
        name,
        wantedId === undefined ? rest : { ...rest, networkSecurityGroup: { id: wantedId } },
        {
          ...azure.call(signal),
          ...(subnet.etag ? { requestOptions: { headers: { "If-Match": subnet.etag } } } : {}),
        },
      );
      return;
    } catch (error) {
      if (!isPreconditionFailed(error) || attempt >= conflictBackoff.attempts) throw error;
      await clock.sleep(backoffMs(conflictBackoff, attempt), signal);
    }
  }
}
