/** Parameters shared by several templates. Their names match the configuration. */
export const shared = {
  acrResourceId: {
    type: "string",
    description: "resource ID of the container registry in the global resource group",
  },
  clusterParentDomainName: { type: "string", description: "parent domain of the clusters of all regions" },
  fpServicePrincipalId: {
    type: "string",
    description: "object ID of the service principal of the service's application",
  },
  gatewayServicePrincipalId: {
    type: "string",
    defaultValue: "",
    description: "object ID of the gateway's managed identity. Empty if the region has no gateway",
  },
  globalDevopsServicePrincipalId: { type: "string", description: "object ID of the principal that deploys" },
  keyvaultPrefix: { type: "string", description: "name prefix of the region's key vaults" },
  rpParentDomainName: { type: "string", description: "parent domain of the service's host names" },
  rpServicePrincipalId: { type: "string", description: "object ID of the machines' managed identity" },
  sshPublicKey: { type: "string", description: "public SSH key of the machines, in OpenSSH format" },
  subscriptionResourceGroupName: {
    type: "string",
    description: "resource group of the alerts' action group",
  },
  vmssName: { type: "string", description: "deployed version, which is the suffix of the scale set's name" },
} as const;
