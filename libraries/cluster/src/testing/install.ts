import { silentLogger, systemClock } from "@keelson/base";
import { replace } from "@keelson/database";
import type { ClusterDocument, OpenShiftCluster, ServiceDatabase } from "@keelson/model";
import { ClusterOperation } from "../operation.ts";
import { putCluster } from "./documents.ts";
import { acquireCluster, guardOf, signal } from "./store.ts";
import type { World } from "./world.ts";

/** Stores a cluster and installs it, as a worker does, in a database in which no other is queued. */
export async function installCluster(
  { environment, subscriptionId }: World,
  database: ServiceDatabase,
  cluster: OpenShiftCluster,
): Promise<ClusterDocument> {
  const { operationId } = await putCluster(database, cluster);
  const leased = await acquireCluster(database, "installer");
  const guard = guardOf(leased);
  const found = await database.collections.subscriptions.find(subscriptionId, subscriptionId, signal);
  if (!found) throw new Error(`subscription ${subscriptionId} is not registered`);
  let stored = leased as Pick<typeof leased, "document" | "etag">;
  for (let result = "handed-over"; result === "handed-over"; ) {
    await using operation = new ClusterOperation({
      database,
      environment,
      stored,
      operationId,
      subscription: found.document,
      guard,
      signal,
      draining: new AbortController().signal,
      clock: systemClock,
      logger: silentLogger,
    });
    result = await (await operation.load()).run();
    stored = operation.stored;
  }
  const { openShiftCluster } = stored.document;
  const properties = { ...openShiftCluster.properties, provisioningState: "Succeeded" as const };
  const document = { ...stored.document, openShiftCluster: { ...openShiftCluster, properties } };
  const { clusters } = database.collections;
  const end = { lease: leased.lease, release: true, signal };
  const result = await database.commit(document.partitionKey, [replace(clusters, stored, document)], end);
  if (result.kind !== "committed") throw new Error(`the installed cluster was not stored: ${result.kind}`);
  return document;
}
