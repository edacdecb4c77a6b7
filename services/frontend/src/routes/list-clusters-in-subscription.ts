import { listClusters } from "../cluster-list.ts";
import type { Route } from "../route.ts";
import { knownVersionOfNamespace } from "../version-rule.ts";
import { paths } from "./paths.ts";

export const listClustersInSubscription: Route = {
  method: "GET",
  path: paths.clustersInSubscription,
  versions: knownVersionOfNamespace,
  authorization: "caller",
  handle: (exchange, service) =>
    listClusters(exchange, service, { subscriptionId: exchange.parameter("subscriptionId") }),
};
