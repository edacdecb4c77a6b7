import type { OperationDocument } from "@keelson/model";
import { externalOperation } from "../external-operation.ts";
import { clusterKey, clusterNotFound, findCluster } from "../found-cluster.ts";
import { seenFrom } from "../found-operation.ts";
import { pageOf } from "../paging.ts";
import type { Route } from "../route.ts";
import { uncheckedVersion } from "../version-rule.ts";
import { paths } from "./paths.ts";

const limit = 10;

/** The operations of a cluster in the last seven days, the newest first; also of one that is deleted. */
export const listClusterOperations: Route = {
  method: "GET",
  path: paths.clusterOperations,
  versions: uncheckedVersion,
  authorization: "caller",
  async handle(exchange, service) {
    const { operations } = service.database.collections;
    const cluster = (await findCluster(exchange, service.database))?.document;
    const query = {
      partitionKey: exchange.parameter("subscriptionId"),
      where: { openShiftClusterKey: clusterKey(exchange) },
      orderBy: "newestFirst",
      limit,
    };
    const read = async (position: { readonly continuation?: string }) => {
      const page = await operations.list({ ...query, ...position }, exchange.signal);
      if (!cluster && page.items.length === 0) throw clusterNotFound(exchange);
      return page;
    };
    const external = (document: OperationDocument) => externalOperation(seenFrom(cluster, document));
    return pageOf(exchange, service, read, external);
  },
};
