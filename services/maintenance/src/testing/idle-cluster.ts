import { randomUUID } from "node:crypto";
import { newCluster } from "@keelson/cluster/testing";
import { create } from "@keelson/database";
import {
  type ClusterDocument,
  type ClusterProperties,
  clusterKeys,
  type OpenShiftCluster,
  type ServiceDatabase,
} from "@keelson/model";

/** Stores an idle cluster. Its document has the form that the backend writes. */
export async function putIdleCluster(
  database: ServiceDatabase,
  subscriptionId: string,
  properties: Partial<ClusterProperties> = {},
): Promise<OpenShiftCluster> {
  const made = newCluster({ name: `c-${randomUUID()}`, subscriptionId, state: "Succeeded" });
  const cluster = { ...made, properties: { ...made.properties, ...properties } };
  const document: ClusterDocument = {
    ...clusterKeys(cluster),
    id: randomUUID(),
    partitionKey: subscriptionId,
    bucket: 0,
    openShiftCluster: cluster,
  };
  const write = create(database.collections.clusters, document);
  const result = await database.commit(subscriptionId, [write], { signal: AbortSignal.timeout(900_000) });
  if (result.kind !== "committed") throw new Error(`the cluster was not stored: ${result.kind}`);
  return cluster;
}
