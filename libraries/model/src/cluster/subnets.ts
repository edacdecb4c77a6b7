import { parseResourceId } from "@keelson/arm";
import type { OpenShiftCluster } from "../open-shift-cluster.ts";
import { presentWorkers } from "./machines.ts";

export interface SubnetRef {
  readonly resourceGroup: string;
  readonly virtualNetwork: string;
  readonly name: string;
  readonly virtualNetworkId: string;
}

/** The parts of a subnet's ID, which validation has checked. */
export function parseSubnetId(subnetId: string): SubnetRef {
  const id = parseResourceId(subnetId);
  const [network, subnet] = id?.path ?? [];
  if (!id || !network || !subnet) throw new Error(`${subnetId} is not the ID of a subnet`);
  const virtualNetworkId = subnetId.slice(0, subnetId.lastIndexOf("/subnets/"));
  return { resourceGroup: id.resourceGroup, virtualNetwork: network[1], name: subnet[1], virtualNetworkId };
}

/** The subnets of the cluster with the paths of the fields that name them, each subnet once. */
export function subnetsOf(
  cluster: OpenShiftCluster,
): readonly { readonly id: string; readonly path: string }[] {
  const all = [
    { id: cluster.properties.masterProfile.subnetId, path: "properties.masterProfile.subnetId" },
    ...presentWorkers(cluster).map(({ path, profile }) => ({
      id: profile.subnetId,
      path: `${path}.subnetId`,
    })),
  ];
  const key = (id: string) => id.toLowerCase();
  return all.filter((each, index) => all.findIndex((other) => key(other.id) === key(each.id)) === index);
}
