import { CloudError, clusterId, type ResourceKey, resourceKey } from "@keelson/arm";
import type { Stored } from "@keelson/database";
import type { ClusterDocument, ServiceDatabase } from "@keelson/model";
import type { Exchange } from "./exchange.ts";

/** The key of the cluster that the path names. */
export function clusterKey(exchange: Exchange): ResourceKey {
  return resourceKey(
    clusterId(
      exchange.parameter("subscriptionId"),
      exchange.parameter("resourceGroup"),
      exchange.parameter("name"),
    ),
  );
}

export function findCluster(
  exchange: Exchange,
  database: ServiceDatabase,
): Promise<Stored<ClusterDocument> | undefined> {
  const partitionKey = exchange.parameter("subscriptionId");
  return database.collections.clusters.findBy(partitionKey, "key", clusterKey(exchange), exchange.signal);
}

export function clusterNotFound({ parameters: { type, name, resourceGroup } }: Exchange): CloudError {
  return new CloudError(
    "ResourceNotFound",
    `The Resource '${type}/${name}' under resource group '${resourceGroup}' was not found.`,
  );
}
