import {
  findVmSize,
  firstWorkerProfile,
  type MachineImage,
  type OpenShiftCluster,
  publishedMachineImages,
} from "@keelson/model";
import type { Release } from "./install-context.ts";

/**
 * Returns the marketplace image of a cluster's machines. All machines use an image of Hyper-V generation 2 if at least one of
 * their sizes requires this generation (openshift/installer-aro-wrapper pkg/installer/generateconfig.go).
 */
export function machineImage(
  cluster: OpenShiftCluster,
  { machineImages }: Pick<Release, "machineImages">,
): MachineImage {
  const { masterProfile, clusterProfile } = cluster.properties;
  const sizes = [masterProfile.vmSize, firstWorkerProfile(cluster).vmSize];
  const requiresGen2 = sizes.some((size) => findVmSize(size)?.requiresHyperVGen2);
  const { hyperVGen1, hyperVGen2 } = machineImages ?? publishedMachineImages(clusterProfile.version) ?? {};
  return (
    (requiresGen2 ? (hyperVGen2 ?? hyperVGen1) : (hyperVGen1 ?? hyperVGen2)) ??
    latestImage(clusterProfile.version)
  );
}

/** Returns the newest image of a minor version. Versions that an earlier release stored without images use this image. */
function latestImage(version: string): MachineImage {
  const [major = "4", minor = "0"] = version.split(".");
  return { publisher: "azureopenshift", offer: "aro4", sku: `aro_${major}${minor}`, version: "latest" };
}
