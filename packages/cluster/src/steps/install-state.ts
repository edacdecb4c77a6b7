import { Secret } from "@keelson/base";
import type { OpenShiftCluster } from "@keelson/model";
import type { ClusterContext } from "../context.ts";
import type { InstallState } from "../installers/installer.ts";
import { withProperties } from "./identifiers.ts";

/** Has the installer generate its keys and passwords, once, and stores them before anything uses them. */
export async function generateInstallState(context: ClusterContext): Promise<void> {
  if (context.cluster.properties.installState) return;
  const installState = new Secret(JSON.stringify(await context.environment.installer.generate(context)));
  await context.update((cluster) =>
    cluster.properties.installState ? cluster : withProperties(cluster, { installState }),
  );
}

export function installStateOf({ properties }: OpenShiftCluster): InstallState {
  if (!properties.installState)
    throw new Error("the installer has not generated anything for the cluster yet");
  return JSON.parse(properties.installState.reveal());
}
