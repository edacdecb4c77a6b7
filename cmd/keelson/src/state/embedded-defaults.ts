/** Default names in the embedded world. */
export const embedded = {
  location: "eastus",
  /** Managed clusters are `{name}.{domain}`; names below .localhost never leave the machine (RFC 6761). */
  domain: "eastus.keelson.localhost",
  /** The service's own group, which contains the DNS zone. */
  serviceResourceGroup: "keelson-service",
  /** The service's registry; in images' names it is the simulated Azure's address. */
  registryName: "keelson",
  /** Names of the service's vaults begin with it. */
  vaultPrefix: "keelson",
  /** Contains `vnet`, with two subnets for each cluster: `{cluster}-master` and `{cluster}-worker`. */
  networkResourceGroup: "keelson-network",
  virtualNetwork: "vnet",
  addressSpace: "10.0.0.0/9",
  /** The cluster of the README's walk-through; its subnets are there from the start. */
  walkThroughCluster: "cluster",
  audience: "https://management.azure.com/",
  /** Audience of administrators' tokens. */
  adminAudience: "api://keelson-admin",
  versions: [
    { version: "4.18.26", default: false },
    { version: "4.19.24", default: true },
  ],
} as const;
