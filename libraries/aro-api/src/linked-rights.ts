/** Permissions that a cluster's principals need on one kind of customer resource. */
export interface LinkedRights {
  /** Name in messages. */
  readonly label: string;
  /** Actions that the cluster's service principal must be allowed to perform. */
  readonly servicePrincipal: readonly string[];
  /**
   * Actions that the operator's managed identity must be allowed to perform. The identity's built-in role includes these actions.
   */
  readonly operatorIdentity: readonly string[];
}

function actionsOf(type: string, ...verbs: readonly string[]): readonly string[] {
  return verbs.map((verb) => `${type}/${verb}`);
}

function ofNetwork(type: string, label: string, operatorVerbs: readonly string[]): LinkedRights {
  const resource = `Microsoft.Network/${type}`;
  return {
    label,
    servicePrincipal: actionsOf(resource, "join/action", "read", "write"),
    operatorIdentity: actionsOf(resource, ...operatorVerbs),
  };
}

/**
 * Required permissions by kind of customer resource. Sources: Azure/ARO-RP pkg/validate/dynamic; Azure's role Azure Red Hat
 * OpenShift Service Operator.
 */
export const linkedRights = {
  vnet: ofNetwork("virtualNetworks", "vnet", []),
  subnet: ofNetwork("virtualNetworks/subnets", "subnet", ["read", "write"]),
  routeTable: ofNetwork("routeTables", "route table", ["join/action"]),
  natGateway: ofNetwork("natGateways", "nat gateway", ["join/action"]),
  networkSecurityGroup: {
    label: "network security group",
    servicePrincipal: actionsOf("Microsoft.Network/networkSecurityGroups", "join/action"),
    operatorIdentity: actionsOf("Microsoft.Network/networkSecurityGroups", "join/action"),
  },
  diskEncryptionSet: {
    label: "disk encryption set",
    servicePrincipal: actionsOf("Microsoft.Compute/diskEncryptionSets", "read"),
    operatorIdentity: [],
  },
} as const satisfies Record<string, LinkedRights>;

/**
 * Microsoft Graph permission that a cluster's principal must not have, because it allows the principal to change applications.
 */
export const forbiddenGraphRole = "Application.ReadWrite.OwnedBy";

export const forbiddenGraphRoleMessage = `The provided service principal must not have the ${forbiddenGraphRole} permission.`;
