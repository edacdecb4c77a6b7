import { parseResourceId } from "@keelson/arm";
import type { OpenShiftCluster } from "./open-shift-cluster.ts";

export interface SubnetRef {
  readonly resourceGroup: string;
  readonly virtualNetwork: string;
  readonly name: string;
  readonly virtualNetworkId: string;
}

/** Parses a subnet ID. The caller must have validated the ID. */
export function parseSubnetId(subnetId: string): SubnetRef {
  const id = parseResourceId(subnetId);
  const [network, subnet] = id?.path ?? [];
  if (!id || !network || !subnet) throw new Error(`${subnetId} is not the ID of a subnet`);
  const virtualNetworkId = subnetId.slice(0, subnetId.lastIndexOf("/subnets/"));
  return { resourceGroup: id.resourceGroup, virtualNetwork: network[1], name: subnet[1], virtualNetworkId };
}

/**
 * Returns each requested subnet once, with the path of its field. `workerProfilesStatus` is not used, because it describes the
 * cluster at the end of its last operation.
 */
export function subnetsOf(
  cluster: OpenShiftCluster,
): readonly { readonly id: string; readonly path: string }[] {
  const all = [
    { id: cluster.properties.masterProfile.subnetId, path: "properties.masterProfile.subnetId" },
    ...cluster.properties.workerProfiles.map(({ subnetId }, index) => ({
      id: subnetId,
      path: `properties.workerProfiles[${index}].subnetId`,
    })),
  ];
  const key = (id: string) => id.toLowerCase();
  return all.filter((each, index) => all.findIndex((other) => key(other.id) === key(each.id)) === index);
}
