import type { ResourceKey } from "@keelson/arm";

/**
 * The time for which a cluster is billed. It outlives the cluster; the billing service sets `lastBillingTime`.
 * Times are whole seconds since 1970. Partition: subscription ID, lower case.
 */
export interface BillingDocument {
  /** ID of the cluster's document. */
  readonly id: string;
  readonly partitionKey: string;
  readonly key: ResourceKey;
  readonly clusterResourceGroupIDKey: string;
  readonly infraId?: string;
  readonly billing: {
    readonly creationTime: number;
    readonly deletionTime?: number;
    readonly lastBillingTime?: number;
    readonly location: string;
    readonly tenantID?: string;
  };
}
