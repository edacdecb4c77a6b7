import { randomUUID } from "node:crypto";
import { isTerminal } from "@keelson/arm";
import { messageOf } from "@keelson/base";
import { create, type Leased, replace, type Stored } from "@keelson/database";
import { type ClusterDocument, newOperation, type SubscriptionDocument } from "@keelson/model";
import type { HeldLease } from "@keelson/workflow";
import type { WorkerDeps } from "./cluster-worker.ts";

const clustersPerPage = 50;

/**
 * Deletes the clusters of a deleted subscription. A busy cluster is deleted after it becomes idle. The subscription leaves the
 * queue when the deletion of its last cluster has started.
 */
export async function workOnSubscription(
  leased: Leased<SubscriptionDocument>,
  held: HeldLease<SubscriptionDocument>,
  deps: WorkerDeps,
): Promise<void> {
  const { database, metrics } = deps;
  const logger = deps.logger.child({ subscriptionId: leased.document.id });
  metrics.subscriptions.inc();
  try {
    const busy = await deleteClusters(leased.document, held, deps);
    if (busy === 0) {
      await finish(leased, held, deps);
      return;
    }
    logger.info({ busy }, "clusters of a deleted subscription are still busy");
  } catch (error) {
    logger.warn({ error: messageOf(error) }, "deleting a subscription's clusters was interrupted");
  }
  await database.collections.subscriptions
    .release(held.lease, { backoffMs: deps.subscriptionBackoffMs, signal: held.signal })
    .catch((error: unknown) => logger.warn({ error: messageOf(error) }, "lease could not be released"));
}

/** Queues the subscription's clusters for deletion. Returns the number of clusters that cannot be queued yet. */
async function deleteClusters(
  { id, subscription }: SubscriptionDocument,
  held: HeldLease<SubscriptionDocument>,
  deps: WorkerDeps,
): Promise<number> {
  if (subscription.state !== "Deleted")
    throw new Error(`the subscription is ${subscription.state}, not deleted`);
  let busy = 0;
  let continuation: string | undefined;
  do {
    const page = await deps.database.collections.clusters.list(
      { partitionKey: id, limit: clustersPerPage, continuation },
      held.signal,
    );
    for (const stored of page.items) {
      const { provisioningState } = stored.document.openShiftCluster.properties;
      if (provisioningState === "Deleting") continue;
      if (!isTerminal(provisioningState) || !(await markDeleting(stored, held, deps))) busy++;
    }
    continuation = page.continuation;
  } while (continuation !== undefined && !deps.draining.aborted);
  return continuation === undefined ? busy : busy + 1;
}

/** Queues the cluster for deletion with a new operation. Returns false if a different process has updated it first. */
async function markDeleting(
  stored: Stored<ClusterDocument>,
  held: HeldLease<SubscriptionDocument>,
  { database, environment, clock }: WorkerDeps,
): Promise<boolean> {
  const { clusters, operations } = database.collections;
  const { document } = stored;
  const { openShiftCluster, partitionKey } = document;
  const now = clock.now();
  const operationId = randomUUID();
  const deleting: ClusterDocument = {
    ...document,
    asyncOperationId: operationId,
    correlationData: { requestId: randomUUID(), operationId, requestTime: now.toISOString() },
    openShiftCluster: {
      ...openShiftCluster,
      properties: {
        ...openShiftCluster.properties,
        lastProvisioningState: openShiftCluster.properties.provisioningState,
        provisioningState: "Deleting",
      },
    },
  };
  const operation = newOperation({
    id: operationId,
    subscriptionId: partitionKey,
    location: environment.location,
    key: document.key,
    state: "Deleting",
    startTime: now,
  });
  const result = await database.commit(
    partitionKey,
    [replace(clusters, stored, deleting), create(operations, operation)],
    { lease: held.lease, signal: held.signal },
  );
  return result.kind === "committed";
}

async function finish(
  leased: Stored<SubscriptionDocument>,
  held: HeldLease<SubscriptionDocument>,
  { database }: WorkerDeps,
): Promise<void> {
  const { subscriptions } = database.collections;
  const document = { ...leased.document, deleting: false };
  const result = await database.commit(document.partitionKey, [replace(subscriptions, leased, document)], {
    lease: held.lease,
    release: true,
    signal: held.signal,
  });
  if (result.kind !== "committed") throw new Error(`the subscription could not be written: ${result.kind}`);
}
