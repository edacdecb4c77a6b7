import type { OpenShiftCluster, SubscriptionDocument, Violation } from "@keelson/model";

/** A valid cluster that has not been stored yet, and where it is to be. */
export interface ProposedCreation {
  readonly cluster: OpenShiftCluster;
  readonly subscription: SubscriptionDocument;
  readonly correlationId?: string | undefined;
}

/** What Azure says to a new cluster before anything of it exists. */
export interface AzureChecks {
  /**
   * Everything that stands against the cluster, in the order in which it is reported; nothing when Azure has no
   * objection.
   * @throws CloudError 503 when Azure does not answer in time, 500 when it answers in an unexpected way
   */
  find(creation: ProposedCreation, signal: AbortSignal): Promise<readonly Violation[]>;
}
