import type { ResourceKey } from "@keelson/arm";

/**
 * Billing period of a cluster. The document outlives the cluster. The billing service sets `lastBillingTime`. Times are Unix
 * seconds. Partition: subscription ID, lower case.
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
