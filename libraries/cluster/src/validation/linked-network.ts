import { CloudError, sameResource } from "@keelson/arm";
import { isNotFound } from "@keelson/azure";
import { parseIpv4Range } from "@keelson/base";
import { type OpenShiftCluster, parseSubnetId, subnetsOf } from "@keelson/model";
import type { Subnet, VirtualNetwork } from "../context/azure-models.ts";
import { findOverlap, prefixesOf } from "../network/subnet-ranges.ts";
import { requireRights, type Subject } from "./subject.ts";

/** Subnet of the cluster, with the path of the field that names the subnet. */
export interface LinkedSubnet {
  readonly id: string;
  readonly path: string;
  readonly subnet: Subnet;
}

/**
 * Checks the cluster's networks: the subject's permissions, the location, and overlaps of CIDRs. Each network is read once.
 * Returns the subnets.
 */
export async function validateNetwork(
  subject: Subject,
  cluster: OpenShiftCluster,
  signal: AbortSignal,
): Promise<readonly LinkedSubnet[]> {
  const wanted = subnetsOf(cluster);
  const networks = new Map<string, VirtualNetwork>();
  for (const { id } of wanted) {
    const { virtualNetworkId } = parseSubnetId(id);
    const key = virtualNetworkId.toLowerCase();
    if (networks.has(key)) continue;
    await requireRights(subject, "vnet", virtualNetworkId, { signal });
    const network = await readNetwork(subject, virtualNetworkId, signal);
    checkLocation(cluster, network);
    networks.set(key, network);
  }
  const subnets = wanted.map(({ id, path }) => {
    const network = networks.get(parseSubnetId(id).virtualNetworkId.toLowerCase());
    const subnet = network?.subnets?.find((each) => each.id !== undefined && sameResource(each.id, id));
    if (!subnet) throw invalidSubnet(path, `The provided subnet '${id}' could not be found.`);
    return { id, path, subnet };
  });
  for (const { id } of subnets) await requireRights(subject, "subnet", id, { signal });
  for (const { kind, id } of attachmentsOf(subnets.map(({ subnet }) => subnet))) {
    await requireRights(subject, kind, id, { signal });
  }
  checkCidrs(cluster, subnets);
  return subnets;
}

/** Returns the resources that are attached to subnets. The result lists route tables before NAT gateways. */
export function attachmentsOf(
  subnets: readonly Subnet[],
): readonly { readonly kind: "routeTable" | "natGateway"; readonly id: string }[] {
  return (["routeTable", "natGateway"] as const).flatMap((kind) =>
    subnets.flatMap(({ [kind]: attached }) => (attached?.id ? [{ kind, id: attached.id }] : [])),
  );
}

async function readNetwork(
  { azure }: Subject,
  networkId: string,
  signal: AbortSignal,
): Promise<VirtualNetwork> {
  const { resourceGroup, virtualNetwork } = parseSubnetId(`${networkId}/subnets/any`);
  try {
    return await azure.network.virtualNetworks.get(resourceGroup, virtualNetwork, azure.call(signal));
  } catch (cause) {
    if (!isNotFound(cause)) throw cause;
    throw new CloudError("InvalidLinkedVNet", `The vnet '${networkId}' could not be found.`, { cause });
  }
}

function checkLocation(cluster: OpenShiftCluster, network: VirtualNetwork): void {
  if (network.location?.toLowerCase() === cluster.location.toLowerCase()) return;
  throw new CloudError(
    "InvalidLinkedVNet",
    `The vnet location '${network.location}' must match the cluster location '${cluster.location}'.`,
  );
}

function checkCidrs(cluster: OpenShiftCluster, subnets: readonly LinkedSubnet[]): void {
  const { podCidr, serviceCidr } = cluster.properties.networkProfile;
  const texts = [...subnets.flatMap(({ subnet }) => prefixesOf(subnet)), podCidr, serviceCidr];
  const overlap = findOverlap(texts.map(parseIpv4Range).filter((range) => range !== undefined));
  if (!overlap) return;
  const [range, other] = overlap;
  throw new CloudError(
    "InvalidLinkedVNet",
    `The provided CIDRs must not overlap: '${range.text} overlaps with ${other.text}'.`,
  );
}

export function invalidSubnet(target: string, message: string): CloudError {
  return new CloudError("InvalidLinkedVNet", message, { target });
}
