import { CloudError, sameResource } from "@keelson/arm";
import { type AzureClients, azureErrorCode, isNotFound } from "@keelson/azure";
import type { OpenShiftCluster } from "@keelson/model";
import type { Subnet, VirtualNetwork } from "../azure-models.ts";
import { findOverlap, parseCidr } from "../cidr.ts";
import type { ClusterContext } from "../context.ts";
import { networkSecurityGroupId, parseSubnetId, servicePrincipalOf, subnetsOf } from "./cluster-facts.ts";
import { tokenClaims } from "./service-principal.ts";

const largestPrefixLength = 27;

/**
 * Checks what the request could not: that the service principal signs in, and that the customer's network can
 * take the cluster.
 * @throws CloudError with the codes and texts of the resource provider (Azure/ARO-RP pkg/validate/dynamic)
 */
export async function validateResources(context: ClusterContext): Promise<void> {
  const { cluster } = context;
  const asCluster = context.azureAs(servicePrincipalOf(context));
  tokenClaims(await asCluster.getToken(context.signal));
  const networkIds = new Set(subnetsOf(cluster).map(({ id }) => parseSubnetId(id).virtualNetworkId));
  for (const networkId of networkIds) {
    await readNetwork(context, asCluster, networkId, "cluster");
    const network = await readNetwork(context, context.azure, networkId, "resource provider");
    checkLocation(cluster, network);
  }
  const subnets = await readSubnets(context);
  checkCidrs(cluster, subnets);
  checkSubnets(cluster, subnets);
}

async function readNetwork(
  context: ClusterContext,
  azure: AzureClients,
  networkId: string,
  who: "cluster" | "resource provider",
): Promise<VirtualNetwork> {
  const { resourceGroup, virtualNetwork } = parseSubnetId(`${networkId}/subnets/any`);
  try {
    return await azure.network.virtualNetworks.get(resourceGroup, virtualNetwork, azure.call(context.signal));
  } catch (error) {
    if (isNotFound(error)) {
      throw new CloudError("InvalidLinkedVNet", `The vnet '${networkId}' could not be found.`, {
        cause: error,
      });
    }
    if (azureErrorCode(error) !== "AuthorizationFailed") throw error;
    const code =
      who === "cluster" ? "InvalidServicePrincipalPermissions" : "InvalidResourceProviderPermissions";
    const { appid } = tokenClaims(await azure.getToken(context.signal));
    throw new CloudError(
      code,
      `The ${who} service principal (Application ID: ${appid}) does not have required permissions on vnet '${networkId}'.`,
      { cause: error },
    );
  }
}

function checkLocation(cluster: OpenShiftCluster, network: VirtualNetwork): void {
  if (network.location?.toLowerCase() === cluster.location.toLowerCase()) return;
  throw new CloudError(
    "InvalidLinkedVNet",
    `The vnet location '${network.location}' must match the cluster location '${cluster.location}'.`,
  );
}

interface LinkedSubnet {
  readonly id: string;
  readonly path: string;
  readonly subnet: Subnet;
}

async function readSubnets({ cluster, azure, signal }: ClusterContext): Promise<readonly LinkedSubnet[]> {
  const subnets: LinkedSubnet[] = [];
  for (const { id, path } of subnetsOf(cluster)) {
    const { resourceGroup, virtualNetwork, name } = parseSubnetId(id);
    try {
      const subnet = await azure.network.subnets.get(resourceGroup, virtualNetwork, name, azure.call(signal));
      subnets.push({ id, path, subnet });
    } catch (error) {
      if (!isNotFound(error)) throw error;
      throw invalidSubnet(path, `The provided subnet '${id}' could not be found.`);
    }
  }
  return subnets;
}

function checkCidrs(cluster: OpenShiftCluster, subnets: readonly LinkedSubnet[]): void {
  const { podCidr, serviceCidr } = cluster.properties.networkProfile;
  const texts = [...subnets.flatMap(({ subnet }) => prefixesOf(subnet)), podCidr, serviceCidr];
  const overlap = findOverlap(texts.map(parseCidr).filter((range) => range !== undefined));
  if (!overlap) return;
  const [outer, inner] = overlap;
  throw new CloudError(
    "InvalidLinkedVNet",
    `The provided CIDRs must not overlap: '${outer.text} overlaps with ${inner.text}'.`,
  );
}

function checkSubnets(cluster: OpenShiftCluster, subnets: readonly LinkedSubnet[]): void {
  const { provisioningState, networkProfile } = cluster.properties;
  const ownGroup = cluster.properties.infraId ? networkSecurityGroupId(cluster) : undefined;
  const brought = networkProfile.preconfiguredNSG === "Enabled";
  if (
    provisioningState === "Creating" &&
    brought &&
    !subnets.every(({ subnet }) => subnet.networkSecurityGroup)
  ) {
    throw new CloudError(
      "InvalidLinkedVNet",
      "When the enable-preconfigured-nsg option is specified, both the master and worker subnets should have network security groups (NSG) attached to them before starting the cluster installation.",
    );
  }
  for (const { id, path, subnet } of subnets) {
    const groupId = subnet.networkSecurityGroup?.id;
    const isOwn = groupId !== undefined && ownGroup !== undefined && sameResource(groupId, ownGroup);
    if (provisioningState === "Creating") {
      if (groupId !== undefined && !brought && !isOwn) {
        throw invalidSubnet(
          path,
          `The provided subnet '${id}' is invalid: must not have a network security group attached.`,
        );
      }
    } else if (brought ? groupId === undefined : !isOwn) {
      const which = brought ? "a network security group" : `network security group '${ownGroup}'`;
      throw invalidSubnet(path, `The provided subnet '${id}' is invalid: must have ${which} attached.`);
    }
    if (subnet.provisioningState !== "Succeeded") {
      throw invalidSubnet(path, `The provided subnet '${id}' is not in a Succeeded state`);
    }
    if (prefixesOf(subnet).some((prefix) => (parseCidr(prefix)?.prefixLength ?? 32) > largestPrefixLength)) {
      throw invalidSubnet(path, `The provided subnet '${id}' is invalid: must be /27 or larger.`);
    }
  }
}

export function prefixesOf(subnet: Subnet): readonly string[] {
  return subnet.addressPrefix ? [subnet.addressPrefix] : (subnet.addressPrefixes ?? []);
}

function invalidSubnet(target: string, message: string): CloudError {
  return new CloudError("InvalidLinkedVNet", message, { target });
}
