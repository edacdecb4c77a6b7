import type { OpenShiftCluster, SubscriptionDocument, Violation } from "@keelson/model";

/** Valid cluster that is not stored yet, with its location. */
export interface ProposedCreation {
  readonly cluster: OpenShiftCluster;
  readonly subscription: SubscriptionDocument;
  readonly correlationId?: string | undefined;
}

/** Azure's verdict on a new cluster before anything of it exists. */
export interface AzureChecks {
  /**
   * Returns all objections to the cluster in the order in which they are reported. Empty if Azure has no
   * objection.
   * @throws CloudError 503 if Azure does not respond in time, 500 for an unexpected response
   */
  find(creation: ProposedCreation, signal: AbortSignal): Promise<readonly Violation[]>;
}
