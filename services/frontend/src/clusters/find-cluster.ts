import { CloudError, clusterId, type ResourceKey, resourceKey } from "@keelson/arm";
import type { Stored } from "@keelson/database";
import type { ClusterDocument, ServiceDatabase } from "@keelson/model";
import type { RequestContext } from "../http/messages/request-context.ts";

/** Returns the key of the cluster in the request's path. */
export function clusterKey(request: RequestContext): ResourceKey {
  return resourceKey(
    clusterId(
      request.parameter("subscriptionId"),
      request.parameter("resourceGroup"),
      request.parameter("name"),
    ),
  );
}

export function findCluster(
  request: RequestContext,
  database: ServiceDatabase,
): Promise<Stored<ClusterDocument> | undefined> {
  const partitionKey = request.parameter("subscriptionId");
  return database.collections.clusters.findBy(partitionKey, "key", clusterKey(request), request.signal);
}

export function clusterNotFound({ parameters: { type, name, resourceGroup } }: RequestContext): CloudError {
  return new CloudError(
    "ResourceNotFound",
    `The Resource '${type}/${name}' under resource group '${resourceGroup}' was not found.`,
  );
}
