import type { ClusterContext } from "../context/context.ts";
import { versionsOf } from "../context/versions-of.ts";
import { installContext } from "./install-context.ts";

/** Updates the cluster's objects in Hive. Does nothing if Hive manages only clusters that it has installed itself. */
export async function hiveEnsureResources(context: ClusterContext): Promise<void> {
  const { hive } = context.environment;
  if (hive?.adoptsClusters) await hive.adopt(installContext(context));
}

/** Removes the cluster from Hive. */
export async function hiveDeleteResources(context: ClusterContext): Promise<void> {
  await context.environment.hive?.forget(installContext(context));
}

/**
 * True after Hive has connected to an adopted cluster. Always true if Hive adopts no clusters, or if Hive installed the cluster
 * and is therefore already connected.
 */
export async function hiveClusterDeploymentReady(context: ClusterContext): Promise<boolean> {
  const { hive } = context.environment;
  const isOwn = context.cluster.properties.hiveProfile?.createdByHive === true;
  return !hive?.adoptsClusters || isOwn || hive.isReady(installContext(context));
}

/** Returns a progress token that changes whenever the cluster's ClusterDeployment changes. */
export async function hiveClusterDeploymentProgress(context: ClusterContext): Promise<string> {
  return versionsOf([await context.environment.hive?.findDeployment(installContext(context))]);
}
