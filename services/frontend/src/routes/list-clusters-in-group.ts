import { clusterId, resourceKey } from "@keelson/arm";
import { listClusters } from "../cluster-list.ts";
import type { Route } from "../route.ts";
import { knownVersion } from "../version-rule.ts";
import { paths } from "./paths.ts";

export const listClustersInGroup: Route = {
  method: "GET",
  path: paths.clustersInGroup,
  versions: knownVersion,
  authorization: "caller",
  handle(exchange, service) {
    const subscriptionId = exchange.parameter("subscriptionId");
    const group = clusterId(subscriptionId, exchange.parameter("resourceGroup"), "");
    return listClusters(exchange, service, { subscriptionId, prefix: resourceKey(group) });
  },
};
