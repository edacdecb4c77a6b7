import { withProperties } from "@keelson/model";
import type { ClusterContext } from "../context/context.ts";
import { withoutInstallState } from "./install-state.ts";

/** Stores the start time of the install, and its phase. */
export async function startInstall({ update, clock }: ClusterContext): Promise<void> {
  const now = clock.now().toISOString();
  await update((cluster) =>
    cluster.properties.install
      ? cluster
      : withProperties(cluster, { install: { now, phase: "InstallPhaseBootstrap" } }),
  );
}

/** Stores the second install phase. From then on, any worker may continue the installation. */
export async function incrInstallPhase({ update }: ClusterContext): Promise<void> {
  await update((cluster) => {
    const { install } = cluster.properties;
    if (install?.phase !== "InstallPhaseBootstrap") return cluster;
    return withProperties(cluster, { install: { ...install, phase: "InstallPhaseRemoveBootstrap" } });
  });
}

export async function finishInstallation({ update }: ClusterContext): Promise<void> {
  await update((cluster) => {
    const { install, ...properties } = withoutInstallState(cluster).properties;
    return install ? { ...cluster, properties } : cluster;
  });
}
