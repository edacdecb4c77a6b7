import { actionView } from "../action-view.ts";
import { clusterKey, clusterNotFound, findCluster } from "../found-cluster.ts";
import { pageOf } from "../paging.ts";
import type { Route } from "../route.ts";
import { uncheckedVersion } from "../version-rule.ts";
import { paths } from "./paths.ts";

const limit = 10;

/** What administrators have done to a cluster, the newest first; also to one that is gone by now. */
export const listAdminActions: Route = {
  method: "GET",
  path: paths.clusterActions,
  versions: uncheckedVersion,
  authorization: "caller",
  handle(exchange, service) {
    const { database } = service;
    const { adminActions } = database.collections;
    const query = {
      partitionKey: exchange.parameter("subscriptionId"),
      where: { openShiftClusterKey: clusterKey(exchange) },
      orderBy: "newestFirst",
      limit,
    };
    const read = async (position: { readonly continuation?: string }) => {
      const page = await adminActions.list({ ...query, ...position }, exchange.signal);
      if (page.items.length === 0 && !(await findCluster(exchange, database)))
        throw clusterNotFound(exchange);
      return page;
    };
    return pageOf(exchange, service, read, actionView);
  },
};
