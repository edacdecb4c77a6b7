/** Parameters shared by several templates. Their names match the configuration. */
export const shared = {
  acrResourceId: { type: "string", description: "ID of the container registry, in the global group" },
  clusterParentDomainName: { type: "string", description: "domain above the clusters of all regions" },
  fpServicePrincipalId: { type: "string", description: "object ID of the service's own application" },
  gatewayServicePrincipalId: {
    type: "string",
    defaultValue: "",
    description: "object ID of the gateway's managed identity; empty where there is no gateway",
  },
  globalDevopsServicePrincipalId: { type: "string", description: "object ID of who deploys" },
  keyvaultPrefix: { type: "string", description: "start of the names of the region's key vaults" },
  rpParentDomainName: { type: "string", description: "domain above the addresses of the service itself" },
  rpServicePrincipalId: { type: "string", description: "object ID of the machines' managed identity" },
  sshPublicKey: { type: "string", description: "key that opens the machines, in OpenSSH's form" },
  subscriptionResourceGroupName: { type: "string", description: "group of the action group of alerts" },
  vmssName: { type: "string", description: "the version: end of the scale set's name" },
} as const;
