import { silentLogger, systemClock } from "@keelson/base";
import { remove, replace, type Stored } from "@keelson/database";
import {
  type ClusterDocument,
  type OpenShiftCluster,
  type ServiceDatabase,
  withProperties,
} from "@keelson/model";
import type { Graph } from "@keelson/workflow";
import type { ClusterContext } from "../context/context.ts";
import { ClusterOperation } from "../operation.ts";
import { putCluster } from "./documents.ts";
import { acquireCluster, guardOf, signal } from "./store.ts";
import type { World } from "./world.ts";

/**
 * Stores a cluster and runs one operation on it to completion, like a worker. The database must not contain other queued
 * operations. Returns the operation's error, if any, and the resulting document.
 */
export async function runOperation(
  { environment, subscriptionId }: World,
  database: ServiceDatabase,
  cluster: OpenShiftCluster,
  plan?: readonly Graph<ClusterContext>[],
): Promise<{ readonly error: unknown; readonly document: ClusterDocument }> {
  const { operationId } = await putCluster(database, cluster);
  const leased = await acquireCluster(database, "worker");
  const { clusters, subscriptions } = database.collections;
  const found = await subscriptions.find(subscriptionId, subscriptionId, signal);
  if (!found) throw new Error(`subscription ${subscriptionId} is not registered`);
  let stored: Stored<ClusterDocument> = leased;
  let error: unknown;
  for (let result: string = "handed-over"; result === "handed-over"; ) {
    await using operation = new ClusterOperation({
      database,
      environment,
      stored,
      operationId,
      subscription: found.document,
      guard: guardOf(leased),
      signal,
      draining: new AbortController().signal,
      clock: systemClock,
      logger: silentLogger,
      plan,
    });
    await operation.load();
    result = await operation.run().catch((reason: unknown) => {
      error = reason;
      return "failed";
    });
    stored = operation.stored;
  }
  const isGone = cluster.properties.provisioningState === "Deleting" && error === undefined;
  const provisioningState = error === undefined ? "Succeeded" : "Failed";
  const ended = withProperties(stored.document.openShiftCluster, { provisioningState });
  const document = { ...stored.document, openShiftCluster: ended };
  const write = isGone ? remove(clusters, stored) : replace(clusters, stored, document);
  const end = { lease: leased.lease, release: true, signal };
  const { kind } = await database.commit(document.partitionKey, [write], end);
  if (kind !== "committed") throw new Error(`the end of the operation was not stored: ${kind}`);
  return { error, document };
}
