/**
 * Cluster of one private link at the service's gateway. The document ID is the link's identifier. Partition: the cluster's
 * subscription ID, lower case.
 */
export interface GatewayDocument {
  readonly id: string;
  readonly partitionKey: string;
  /** Lifetime in seconds. It is set when the document is removed. */
  readonly ttlSeconds?: number;
  readonly gateway: {
    /** Resource ID of the cluster. */
    readonly id: string;
    readonly deleting?: boolean;
    /** Suffix of the cluster's storage accounts. The cluster may also reach them through the gateway. */
    readonly storageSuffix?: string;
    readonly imageRegistryStorageAccountName?: string;
  };
}
