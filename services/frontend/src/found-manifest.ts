import { CloudError } from "@keelson/arm";
import type { Stored } from "@keelson/database";
import type { ClusterDocument, MaintenanceManifestDocument, ServiceDatabase } from "@keelson/model";
import type { Exchange } from "./exchange.ts";
import { clusterKey, clusterNotFound, findCluster } from "./found-cluster.ts";

/** The cluster that the path names. @throws CloudError ResourceNotFound, NotFound while it is being deleted */
export async function clusterToMaintain(
  exchange: Exchange,
  database: ServiceDatabase,
): Promise<Stored<ClusterDocument>> {
  const stored = await findCluster(exchange, database);
  if (!stored) throw clusterNotFound(exchange);
  if (stored.document.openShiftCluster.properties.provisioningState === "Deleting") {
    throw new CloudError("NotFound", "cluster being deleted");
  }
  return stored;
}

/** The manifest that the path names, of the cluster that it names. @throws CloudError NotFound */
export async function getManifest(
  exchange: Exchange,
  database: ServiceDatabase,
): Promise<Stored<MaintenanceManifestDocument>> {
  const id = exchange.parameter("manifestId");
  const stored = await database.collections.manifests.find(clusterKey(exchange), id, exchange.signal);
  if (!stored) throw new CloudError("NotFound", `manifest not found: the cluster has no manifest '${id}'`);
  return stored;
}
