/** Default resource names in the embedded world. */
export const embedded = {
  location: "eastus",
  /** Managed clusters have the domain `{name}.{domain}`. Names below .localhost never leave the machine (RFC 6761). */
  domain: "eastus.keelson.localhost",
  /** Resource group of the service. It contains the DNS zone. */
  serviceResourceGroup: "keelson-service",
  /** Name of the service's registry in the simulated Azure. */
  registryName: "keelson",
  /** Name prefix of the service's key vaults. */
  vaultPrefix: "keelson",
  /**
   * Resource group of the virtual network `vnet`. It contains two subnets for each cluster: `{cluster}-master` and
   * `{cluster}-worker`.
   */
  networkResourceGroup: "keelson-network",
  virtualNetwork: "vnet",
  addressSpace: "10.0.0.0/9",
  /** Cluster of the README's tutorial. Its subnets exist from the start. */
  walkThroughCluster: "cluster",
  audience: "https://management.azure.com/",
  /** Audience of administrator tokens. */
  adminAudience: "api://keelson-admin",
  /** Application ID of the Azure CLI, with which people get administrator tokens for `curl`. */
  azureCliId: "04b07795-8ddb-461a-bbee-02f9e1bf7b46",
  versions: [
    { version: "4.18.26", default: false },
    { version: "4.19.24", default: true },
  ],
} as const;
