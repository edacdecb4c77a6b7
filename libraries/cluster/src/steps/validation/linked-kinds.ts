import type { CloudErrorCode } from "@keelson/arm";

/** The principal whose rights are checked: the cluster's or the service's. */
export type Role = "cluster" | "service";

/** A kind of resource that customers bring. */
interface LinkedKind {
  /** In error messages. */
  readonly label: string;
  /** The error for a missing resource. */
  readonly absentCode: CloudErrorCode;
  readonly absentText: (id: string) => string;
  readonly actions: Readonly<Record<Role, readonly string[]>>;
}

const network = "Microsoft.Network";

function actionsOf(type: string, ...verbs: readonly string[]): readonly string[] {
  return verbs.map((verb) => `${type}/${verb}`);
}

function ofNetwork(
  type: string,
  label: string,
  absentCode: CloudErrorCode,
  service: readonly string[],
): LinkedKind {
  return {
    label,
    absentCode,
    absentText: (id) => `The ${label} '${id}' could not be found.`,
    actions: {
      cluster: actionsOf(`${network}/${type}`, "join/action", "read", "write"),
      service: actionsOf(`${network}/${type}`, ...service),
    },
  };
}

/**
 * The actions that each principal needs on the resources, and the error where one is denied. Source: Azure/ARO-RP
 * pkg/validate/dynamic.
 */
export const linkedKinds = {
  vnet: ofNetwork("virtualNetworks", "vnet", "InvalidLinkedVNet", ["read"]),
  subnet: {
    ...ofNetwork("virtualNetworks/subnets", "subnet", "InvalidLinkedSubnet", [
      "join/action",
      "read",
      "write",
    ]),
    absentText: (id) => `The provided subnet '${id}' could not be found.`,
  },
  routeTable: ofNetwork("routeTables", "route table", "InvalidLinkedRouteTable", ["join/action", "read"]),
  natGateway: ofNetwork("natGateways", "nat gateway", "InvalidLinkedNatGateway", ["join/action"]),
  networkSecurityGroup: {
    label: "network security group",
    absentCode: "InvalidLinkedVNet",
    absentText: (id) => `The network security group '${id}' could not be found.`,
    actions: {
      cluster: actionsOf(`${network}/networkSecurityGroups`, "join/action"),
      service: actionsOf(`${network}/networkSecurityGroups`, "join/action", "read"),
    },
  },
  diskEncryptionSet: {
    label: "disk encryption set",
    absentCode: "InvalidLinkedDiskEncryptionSet",
    absentText: (id) => `The disk encryption set '${id}' could not be found.`,
    actions: {
      cluster: actionsOf("Microsoft.Compute/diskEncryptionSets", "read"),
      service: actionsOf("Microsoft.Compute/diskEncryptionSets", "read"),
    },
  },
} as const satisfies Record<string, LinkedKind>;

export type LinkedKindName = keyof typeof linkedKinds;
