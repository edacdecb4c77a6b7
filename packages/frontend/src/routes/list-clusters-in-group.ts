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
    const group = clusterId(exchange.parameter("subscriptionId"), exchange.parameter("resourceGroup"), "");
    return listClusters(exchange, service, resourceKey(group));
  },
};
