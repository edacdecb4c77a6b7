import { concat, groupLocation, type Value } from "./expression.ts";

/** Names shared by several templates and the deployment flow. */
export const names = {
  actionGroup: "rp-health-ag",
  rp: {
    vnet: "rp-vnet",
    subnet: "rp-subnet",
    privateEndpointVnet: "rp-pe-vnet-001",
    privateEndpointSubnet: "rp-pe-subnet",
    loadBalancer: "rp-lb",
    portalRule: "portal-lbrule",
    securityGroup: "rp-nsg",
    address: "rp-pip",
    portalAddress: "portal-pip",
  },
  gateway: {
    vnet: "gateway-vnet",
    subnet: "gateway-subnet",
    loadBalancer: "gateway-lb-internal",
    privateLinkService: "gateway-pls-001",
  },
} as const;

/** Name of the scale set tag that contains the secret versions which all machines of the set use. */
export const secretVersionsTag = "secretVersions";

/** Label from which the ID of the custom network role is derived. */
export const networkRoleLabel = "keelson service network";

export function identityName(role: "rp" | "gateway", location: Value = groupLocation): Value {
  return concat(`aro-${role}-`, location);
}

/** Returns the name of the key vault for the service's own secrets. */
export function serviceVaultName(keyvaultPrefix: Value): Value {
  return concat(keyvaultPrefix, "-svc");
}

export function scaleSetName(role: "rp" | "gateway", version: Value): Value {
  return concat(`${role}-vmss-`, version);
}

/** Returns the name of the key vault for the clusters' certificates. */
export function clusterVaultName(keyvaultPrefix: Value): Value {
  return concat(keyvaultPrefix, "-cls");
}
