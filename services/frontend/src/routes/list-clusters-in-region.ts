import { listClusters } from "../cluster-list.ts";
import type { Route } from "../route.ts";
import { implicitlyAdmin } from "../version-rule.ts";
import { paths } from "./paths.ts";

/** The clusters of all subscriptions, in pages. */
export const listClustersInRegion: Route = {
  method: "GET",
  path: paths.clustersInRegion,
  versions: implicitlyAdmin,
  authorization: "caller",
  handle: (exchange, service) => listClusters(exchange, service, {}),
};
