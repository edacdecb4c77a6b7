import type { ClusterDocument, OpenShiftCluster, ServiceDatabase } from "@keelson/model";
import { runOperation } from "./run-operation.ts";
import type { World } from "./world.ts";

/** Stores a queued cluster and installs it like a worker. The database must not contain other queued clusters. */
export async function installCluster(
  world: World,
  database: ServiceDatabase,
  cluster: OpenShiftCluster,
): Promise<ClusterDocument> {
  const { error, document } = await runOperation(world, database, cluster);
  if (error !== undefined) throw error;
  return document;
}
