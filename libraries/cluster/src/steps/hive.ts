import type { ClusterContext } from "../context.ts";

/** Tells Hive of the cluster as it is now, where it looks after clusters whoever has installed them. */
export async function hiveEnsureResources(context: ClusterContext): Promise<void> {
  const { hive } = context.environment;
  if (hive?.adoptsClusters) await hive.adopt(context);
}

/** Has Hive forget the cluster, whoever has installed it. */
export async function hiveDeleteResources(context: ClusterContext): Promise<void> {
  await context.environment.hive?.forget(context);
}

/** Hive reaches the cluster that it was told of; those that it has installed it has reached. */
export async function hiveClusterDeploymentReady(context: ClusterContext): Promise<boolean> {
  const { hive } = context.environment;
  const isOwn = context.cluster.properties.hiveProfile?.createdByHive === true;
  return !hive?.adoptsClusters || isOwn || hive.isReady(context);
}
