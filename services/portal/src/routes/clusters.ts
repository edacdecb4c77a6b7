import type { ClusterResponses } from "@keelson/kube";
import type { ServiceDatabase } from "@keelson/model";
import type { ClusterSummary } from "@keelson/portal-api";
import { clusterDetail, clusterSummary } from "../clusters/cluster-views.ts";
import { getCluster } from "../clusters/find-cluster.ts";
import { clusterPath, type PortalRoute } from "../http/portal-route.ts";

const pageSize = 500;
/** A region has fewer. */
const mostClusters = 20_000;

export interface ClusterRoutesDeps {
  readonly database: ServiceDatabase;
  /** Source of exceeded limits. */
  readonly responses?: ClusterResponses;
}

/** The clusters as their documents have them. */
export function clusterRoutes({ database, responses }: ClusterRoutesDeps): readonly PortalRoute[] {
  return [
    {
      method: "GET",
      path: "/api/clusters",
      access: "login",
      carriesClusterData: true,
      handle: async ({ signal }) => ({ status: 200, json: await allClusters(database, signal) }),
    },
    {
      method: "GET",
      path: clusterPath.data,
      access: "login",
      carriesClusterData: true,
      async handle(context) {
        const document = await getCluster(database, context);
        const exceeded = responses?.exceededBy(document.openShiftCluster.id) ?? [];
        return { status: 200, json: clusterDetail(document, exceeded) };
      },
    },
  ];
}

/** All clusters in short, in the order of the IDs of their documents. */
export async function allClusters(
  database: ServiceDatabase,
  signal: AbortSignal,
): Promise<readonly ClusterSummary[]> {
  const summaries: ClusterSummary[] = [];
  let position: { readonly continuation?: string } = {};
  do {
    const { items, continuation } = await database.collections.clusters.list(
      { limit: pageSize, ...position },
      signal,
    );
    summaries.push(...items.map(({ document }) => clusterSummary(document)));
    position = continuation === undefined ? {} : { continuation };
  } while (position.continuation !== undefined && summaries.length < mostClusters);
  return summaries.sort((a, b) => (a.key < b.key ? -1 : 1));
}
