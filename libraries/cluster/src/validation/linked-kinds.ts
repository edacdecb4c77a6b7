import type { CloudErrorCode } from "@keelson/arm";
import { type LinkedRights, linkedRights } from "@keelson/aro-api";

/** Principal of a permission check. `cluster`: the cluster's principal. `service`: the service's principal. */
export type Role = "cluster" | "service";

/** Kind of a resource that the customer provides. */
interface LinkedKind {
  /** Name in error messages. */
  readonly label: string;
  /** Error code for a missing resource of this kind. */
  readonly absentCode: CloudErrorCode;
  readonly absentText: (id: string) => string;
  readonly actions: Readonly<Record<Role, readonly string[]>>;
}

const network = "Microsoft.Network";

function actionsOf(type: string, ...verbs: readonly string[]): readonly string[] {
  return verbs.map((verb) => `${type}/${verb}`);
}

function linked(
  { label, servicePrincipal }: LinkedRights,
  absentCode: CloudErrorCode,
  service: readonly string[],
): LinkedKind {
  return {
    label,
    absentCode,
    absentText: (id) => `The ${label} '${id}' could not be found.`,
    actions: { cluster: servicePrincipal, service },
  };
}

const { vnet, subnet, routeTable, natGateway, networkSecurityGroup, diskEncryptionSet } = linkedRights;

/**
 * Actions that each principal must be allowed to perform on the customer's resources, and the error for a denied action. Source:
 * Azure/ARO-RP pkg/validate/dynamic.
 */
export const linkedKinds = {
  vnet: linked(vnet, "InvalidLinkedVNet", actionsOf(`${network}/virtualNetworks`, "read")),
  subnet: {
    ...linked(
      subnet,
      "InvalidLinkedSubnet",
      actionsOf(`${network}/virtualNetworks/subnets`, "join/action", "read", "write"),
    ),
    absentText: (id) => `The provided subnet '${id}' could not be found.`,
  },
  routeTable: linked(
    routeTable,
    "InvalidLinkedRouteTable",
    actionsOf(`${network}/routeTables`, "join/action", "read"),
  ),
  natGateway: linked(
    natGateway,
    "InvalidLinkedNatGateway",
    actionsOf(`${network}/natGateways`, "join/action"),
  ),
  networkSecurityGroup: linked(
    networkSecurityGroup,
    "InvalidLinkedVNet",
    actionsOf(`${network}/networkSecurityGroups`, "join/action", "read"),
  ),
  diskEncryptionSet: linked(
    diskEncryptionSet,
    "InvalidLinkedDiskEncryptionSet",
    actionsOf("Microsoft.Compute/diskEncryptionSets", "read"),
  ),
} as const satisfies Record<string, LinkedKind>;

export type LinkedKindName = keyof typeof linkedKinds;
