/**
 * Cluster to which a private link at the service's gateway belongs. The document ID is the link's identifier. Partition: the
 * lower-case subscription ID of the cluster.
 */
export interface GatewayDocument {
  readonly id: string;
  readonly partitionKey: string;
  /** Lifetime in seconds. Set only when the document is retired. */
  readonly ttlSeconds?: number;
  readonly gateway: {
    /** Resource ID of the cluster. */
    readonly id: string;
    readonly deleting?: boolean;
    /** Suffix in the names of the cluster's storage accounts. The cluster may also reach these accounts through the gateway. */
    readonly storageSuffix?: string;
    readonly imageRegistryStorageAccountName?: string;
  };
}
