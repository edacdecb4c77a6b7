import { clusterId, resourceKey } from "@keelson/arm";
import { paths } from "../http/messages/paths.ts";
import type { RequestContext } from "../http/messages/request-context.ts";
import type { Response } from "../http/messages/response.ts";
import { adminOnly, knownVersion, knownVersionOfNamespace } from "../http/messages/version-rule.ts";
import { linkAfter, openToken } from "../http/paging.ts";
import type { Route } from "../http/route.ts";
import type { Service } from "../service/service.ts";
import { clusterListText } from "./cluster-text.ts";

const pageSize = 10;

/** Scope of a list: one subscription, or all clusters with a key prefix. Default: all clusters. */
interface ListScope {
  readonly subscriptionId?: string;
  readonly prefix?: string;
}

/** Returns one page of clusters, ordered by key. */
async function listClusters(
  request: RequestContext,
  service: Service,
  { subscriptionId, prefix }: ListScope,
): Promise<Response> {
  const continuation = openToken(request, service);
  const query = {
    partitionKey: subscriptionId,
    prefix: prefix ? { key: "key", value: prefix } : undefined,
    orderBy: "key",
    limit: pageSize,
    continuation,
  };
  const page = await service.database.collections.clusters.list(query, request.signal);
  const clusters = await Promise.all(
    page.items.map(({ document }) => service.clusterStatus.get(document, request.signal)),
  );
  const next = linkAfter(page, request, service);
  return { status: 200, rendered: clusterListText(request.version, clusters, next) };
}

export const listClustersInGroup: Route = {
  method: "GET",
  path: paths.clustersInGroup,
  versions: knownVersion,
  handle(request, service) {
    const subscriptionId = request.parameter("subscriptionId");
    const group = clusterId(subscriptionId, request.parameter("resourceGroup"), "");
    return listClusters(request, service, { subscriptionId, prefix: resourceKey(group) });
  },
};

/** Lists the clusters of all subscriptions in pages. */
export const listClustersInRegion: Route = {
  method: "GET",
  path: paths.clustersInRegion,
  versions: adminOnly,
  handle: (request, service) => listClusters(request, service, {}),
};

export const listClustersInSubscription: Route = {
  method: "GET",
  path: paths.clustersInSubscription,
  versions: knownVersionOfNamespace,
  handle: (request, service) =>
    listClusters(request, service, { subscriptionId: request.parameter("subscriptionId") }),
};
