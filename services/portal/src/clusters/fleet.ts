import { allDocuments, type Collection, type Document } from "@keelson/database";
import type { ServiceDatabase } from "@keelson/model";
import type { ClusterSummary } from "@keelson/portal-api";
import { clusterSummary } from "./cluster-views.ts";
import { healthView } from "./health-view.ts";

const pageSize = 500;
/** Maximum number of clusters to read. It exceeds the number of clusters in a region. */
const maxClusters = 20_000;

/** Returns summaries of all clusters with their health, ordered by document ID. */
export async function readFleet(
  { collections }: Pick<ServiceDatabase, "collections">,
  now: Date,
  signal: AbortSignal,
): Promise<readonly ClusterSummary[]> {
  const [clusters, observations] = await Promise.all([
    readAll(collections.clusters, signal),
    readAll(collections.clusterHealth, signal),
  ]);
  const healthById = new Map(observations.map((document) => [document.id, document]));
  return clusters
    .map((cluster) => {
      const { createdAt } = cluster.openShiftCluster.properties;
      return clusterSummary(cluster, healthView(healthById.get(cluster.id), now, createdAt));
    })
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}

async function readAll<T extends Document>(
  collection: Collection<T>,
  signal: AbortSignal,
): Promise<readonly T[]> {
  const documents: T[] = [];
  for await (const { document } of allDocuments(collection, signal, { limit: pageSize })) {
    documents.push(document);
    if (documents.length >= maxClusters) break;
  }
  return documents;
}
