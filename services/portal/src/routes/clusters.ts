import type { Clock } from "@keelson/base";
import type { ClusterResponses } from "@keelson/kube";
import type { ServiceDatabase } from "@keelson/model";
import { clusterDetail } from "../clusters/cluster-views.ts";
import { getCluster } from "../clusters/find-cluster.ts";
import { readFleet } from "../clusters/fleet.ts";
import { healthView } from "../clusters/health-view.ts";
import { clusterPath, type PortalRoute } from "../http/portal-route.ts";

export interface ClusterRoutesDeps {
  readonly database: ServiceDatabase;
  /** Shared response parser, which records the limits that clusters have exceeded. */
  readonly responses?: ClusterResponses;
  /** Address of all API servers in a simulated cloud. */
  readonly clusterAddress?: string | undefined;
  readonly clock: Clock;
}

/** Routes that return data of clusters' documents. */
export function clusterRoutes(deps: ClusterRoutesDeps): readonly PortalRoute[] {
  const { database, responses, clock, clusterAddress } = deps;
  const isSimulated = clusterAddress !== undefined;
  return [
    {
      method: "GET",
      path: "/api/clusters",
      carriesClusterData: true,
      handle: async ({ signal }) => ({ status: 200, json: await readFleet(database, clock.now(), signal) }),
    },
    {
      method: "GET",
      path: clusterPath.data,
      carriesClusterData: true,
      async handle(context) {
        const document = await getCluster(database, context);
        const exceeded = responses?.exceededBy(document.openShiftCluster.id) ?? [];
        const { id, partitionKey, openShiftCluster } = document;
        const observed = await database.collections.clusterHealth.find(partitionKey, id, context.signal);
        const { createdAt } = openShiftCluster.properties;
        const health = healthView(observed?.document, clock.now(), createdAt);
        return { status: 200, json: clusterDetail(document, { exceeded, health, isSimulated }) };
      },
    },
  ];
}
