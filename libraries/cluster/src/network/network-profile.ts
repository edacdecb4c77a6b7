import { stringAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import { withProperties } from "@keelson/model";
import type { ClusterContext } from "../context/context.ts";

const largePacketsFeature = "Microsoft.RedHatOpenShift/MTU3900";

/**
 * Stores the MTU: 3,900 bytes if the subscription has the feature for a large MTU, and 1,500 bytes for all other subscriptions.
 */
export async function populateMTUSize(context: ClusterContext): Promise<void> {
  const features = context.subscription.subscription.properties?.registeredFeatures ?? [];
  const large = features.some(
    ({ name, state }) => name.toLowerCase() === largePacketsFeature.toLowerCase() && state === "Registered",
  );
  await storeMtuSize(context, large);
}

/** Stores the MTU if it is missing. A MachineConfig in the cluster shows whether the cluster uses the large MTU. */
export async function ensureMTUSize(context: ClusterContext): Promise<void> {
  const { cluster, kube, signal } = context;
  if (cluster.properties.networkProfile.mtuSize) return;
  const configuration = await kube().find(resources.machineConfigs, { name: "99-master-mtu" }, signal);
  await storeMtuSize(context, configuration !== undefined);
}

async function storeMtuSize({ update }: ClusterContext, large: boolean): Promise<void> {
  const mtuSize = large ? 3900 : 1500;
  await update((cluster) => {
    const { networkProfile } = cluster.properties;
    if (networkProfile.mtuSize) return cluster;
    return withProperties(cluster, { networkProfile: { ...networkProfile, mtuSize } });
  });
}

/** Updates the stored network plug-in after the customer has migrated the cluster to OVN-Kubernetes. */
export async function reconcileSoftwareDefinedNetwork({
  cluster,
  kube,
  signal,
  update,
}: ClusterContext): Promise<void> {
  if (cluster.properties.networkProfile.softwareDefinedNetwork !== "OpenShiftSDN") return;
  const network = await kube().get(resources.configNetworks, { name: "cluster" }, signal);
  if (stringAt(network, "spec", "networkType") !== "OVNKubernetes") return;
  await update((current) =>
    withProperties(current, {
      networkProfile: { ...current.properties.networkProfile, softwareDefinedNetwork: "OVNKubernetes" },
    }),
  );
}
