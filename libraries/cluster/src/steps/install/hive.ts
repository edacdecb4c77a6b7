import type { ClusterContext } from "../../context/context.ts";
import { versionsOf } from "../versions-of.ts";
import { installContext } from "./install-context.ts";

/** Updates Hive with the cluster as it is now, where Hive adopts clusters that others have installed. */
export async function hiveEnsureResources(context: ClusterContext): Promise<void> {
  const { hive } = context.environment;
  if (hive?.adoptsClusters) await hive.adopt(installContext(context));
}

/** Removes the cluster from Hive. */
export async function hiveDeleteResources(context: ClusterContext): Promise<void> {
  await context.environment.hive?.forget(installContext(context));
}

/** True once Hive reaches an adopted cluster; those that it has installed, it has reached. */
export async function hiveClusterDeploymentReady(context: ClusterContext): Promise<boolean> {
  const { hive } = context.environment;
  const isOwn = context.cluster.properties.hiveProfile?.createdByHive === true;
  return !hive?.adoptsClusters || isOwn || hive.isReady(installContext(context));
}

/** Changes with the ClusterDeployment of the cluster. */
export async function hiveClusterDeploymentProgress(context: ClusterContext): Promise<string> {
  return versionsOf([await context.environment.hive?.findDeployment(installContext(context))]);
}
