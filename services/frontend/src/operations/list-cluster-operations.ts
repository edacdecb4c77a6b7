import type { OperationDocument } from "@keelson/model";
import { clusterKey, clusterNotFound, findCluster } from "../clusters/find-cluster.ts";
import { paths } from "../http/messages/paths.ts";
import { uncheckedVersion } from "../http/messages/version-rule.ts";
import { pageOf } from "../http/paging.ts";
import type { Route } from "../http/route.ts";
import { operationWithProgress, seenFrom } from "./find-operation.ts";

const limit = 10;

/** Lists a cluster's operations of the last seven days, newest first. Deleted clusters are supported. */
export const listClusterOperations: Route = {
  method: "GET",
  path: paths.clusterOperations,
  versions: uncheckedVersion,
  async handle(request, service) {
    const { operations } = service.database.collections;
    const cluster = (await findCluster(request, service.database))?.document;
    const query = {
      partitionKey: request.parameter("subscriptionId"),
      where: { openShiftClusterKey: clusterKey(request) },
      orderBy: "newestFirst",
      limit,
    };
    const read = async (position: { readonly continuation?: string }) => {
      const page = await operations.list({ ...query, ...position }, request.signal);
      if (!cluster && page.items.length === 0) throw clusterNotFound(request);
      return page;
    };
    const external = (document: OperationDocument) => operationWithProgress(seenFrom(cluster, document));
    return pageOf(request, service, read, external);
  },
};
