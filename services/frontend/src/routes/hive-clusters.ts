import {
  hiveClusterDeployment as clusterDeployment,
  hiveClusterSync as clusterSync,
  type HiveContext,
} from "@keelson/admin-actions";
import { serviceAction } from "../admin-action.ts";
import { hiveOf } from "../hive.ts";
import type { Route } from "../route.ts";

/** What Hive was told to install. */
export const hiveClusterDeployment: Route = hiveRoute("clusterdeployment", clusterDeployment);

/** How far Hive is with what it keeps in the cluster. */
export const hiveClusterSync: Route = hiveRoute("clustersync", clusterSync);

function hiveRoute(suffix: string, look: (hive: HiveContext, namespace: string) => Promise<object>): Route {
  return serviceAction({ method: "GET", suffix }, (service, exchange) => ({
    read() {
      hiveOf(service, exchange.signal);
      return {};
    },
    async handle({ document, signal }) {
      const { namespace } = document.openShiftCluster.properties.hiveProfile ?? {};
      // Not managed by Hive: there is nothing to show.
      if (!namespace) return { status: 204 };
      return { status: 200, body: await look(hiveOf(service, signal), namespace) };
    },
  }));
}
