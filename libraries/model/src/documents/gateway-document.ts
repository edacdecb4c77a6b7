/**
 * The cluster behind a private link at the service's gateway. Its ID is the link's identifier. Partition: the
 * cluster's subscription, lower case.
 */
export interface GatewayDocument {
  readonly id: string;
  readonly partitionKey: string;
  /** Set when the gateway must remove the document. */
  readonly ttlSeconds?: number;
  readonly gateway: {
    /** The cluster's resource ID. */
    readonly id: string;
    readonly deleting?: boolean;
    /** The cluster's storage accounts, which it may also reach. */
    readonly storageSuffix?: string;
    readonly imageRegistryStorageAccountName?: string;
  };
}
