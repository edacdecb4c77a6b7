import { randomUUID } from "node:crypto";
import type { ResourceKey } from "@keelson/arm";
import { create, replace } from "@keelson/database";
import {
  type ClusterDocument,
  clusterKeys,
  type OpenShiftCluster,
  type OperationDocument,
  type ServiceDatabase,
  type SubscriptionState,
} from "@keelson/model";
import { signal } from "./store.ts";

export async function putSubscription(
  database: ServiceDatabase,
  subscriptionId: string,
  state: SubscriptionState = "Registered",
): Promise<void> {
  const { subscriptions } = database.collections;
  const document = {
    id: subscriptionId,
    partitionKey: subscriptionId,
    deleting: state === "Deleted",
    subscription: { state },
  };
  const stored = await subscriptions.find(subscriptionId, subscriptionId, signal);
  const write = stored ? replace(subscriptions, stored, document) : create(subscriptions, document);
  await database.commit(subscriptionId, [write], { signal });
}

/** Stored cluster with the queued operation. */
export interface QueuedCluster {
  readonly id: string;
  readonly operationId: string;
  readonly partitionKey: string;
  readonly clusterKey: ResourceKey;
}

/** Stores a cluster and the operation that matches its provisioning state, as an API request does. */
export async function putCluster(
  database: ServiceDatabase,
  cluster: OpenShiftCluster,
): Promise<QueuedCluster> {
  const { clusters, operations } = database.collections;
  const partitionKey = cluster.id.split("/")[2] ?? "";
  const keys = clusterKeys(cluster);
  const operationId = randomUUID();
  const stored = await clusters.findBy(partitionKey, "key", keys.key, signal);
  const now = new Date();
  const document: ClusterDocument = {
    ...stored?.document,
    ...keys,
    id: stored?.document.id ?? randomUUID(),
    partitionKey,
    bucket: 0,
    asyncOperationId: operationId,
    correlationData: { requestId: randomUUID(), operationId, requestTime: now.toISOString() },
    openShiftCluster: cluster,
  };
  const status = cluster.properties.provisioningState;
  const operation: OperationDocument = {
    id: operationId,
    partitionKey,
    openShiftClusterKey: keys.key,
    asyncOperation: { id: `/${operationId}`, name: operationId, status, startTime: now.toISOString() },
  };
  const write = stored ? replace(clusters, stored, document) : create(clusters, document);
  const result = await database.commit(partitionKey, [write, create(operations, operation)], { signal });
  if (result.kind !== "committed") throw new Error(`the cluster was not stored: ${JSON.stringify(result)}`);
  return { id: document.id, operationId, partitionKey, clusterKey: keys.key };
}

/** Waits until the operation has ended. */
export async function operationEnd(
  database: ServiceDatabase,
  { operationId, partitionKey }: { readonly operationId: string; readonly partitionKey: string },
  limitMs = 600_000,
): Promise<OperationDocument> {
  const limit = AbortSignal.timeout(limitMs);
  for (;;) {
    const found = await database.collections.operations.find(partitionKey, operationId, limit);
    if (found?.document.asyncOperation.endTime) return found.document;
    await new Promise((resolve) => setTimeout(resolve, 50));
    limit.throwIfAborted();
  }
}

/** Returns the stored cluster with this resource ID. */
export async function readCluster(
  database: ServiceDatabase,
  id: string,
): Promise<OpenShiftCluster | undefined> {
  const partitionKey = id.split("/")[2] ?? "";
  const stored = await database.collections.clusters.findBy(partitionKey, "key", id.toLowerCase(), signal);
  return stored?.document.openShiftCluster;
}
