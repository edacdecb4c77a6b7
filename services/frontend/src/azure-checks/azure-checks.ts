import type { OpenShiftCluster, SubscriptionDocument, Violation } from "@keelson/model";

/** Cluster of a valid creation request that the service has not stored yet, with its location. */
export interface ProposedCreation {
  readonly cluster: OpenShiftCluster;
  readonly subscription: SubscriptionDocument;
  readonly correlationId?: string | undefined;
}

/** Checks with Azure whether a new cluster can be created, before any of its resources exist. */
export interface AzureChecks {
  /**
   * Returns all violations in reporting order. Empty if Azure would accept the cluster.
   * @throws CloudError 503 if Azure does not respond in time, 500 for an unexpected response
   */
  find(creation: ProposedCreation, signal: AbortSignal): Promise<readonly Violation[]>;
}
