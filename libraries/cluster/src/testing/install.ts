import type { ClusterDocument, OpenShiftCluster, ServiceDatabase } from "@keelson/model";
import { runOperation } from "./run-operation.ts";
import type { World } from "./world.ts";

/** Stores a cluster and installs it, as a worker does, in a database in which no other is queued. */
export async function installCluster(
  world: World,
  database: ServiceDatabase,
  cluster: OpenShiftCluster,
): Promise<ClusterDocument> {
  const { error, document } = await runOperation(world, database, cluster);
  if (error !== undefined) throw error;
  return document;
}
