import {
  findVmSize,
  firstWorkerProfile,
  type MachineImage,
  type OpenShiftCluster,
  publishedMachineImages,
} from "@keelson/model";
import type { Release } from "./install-context.ts";

/**
 * Returns the marketplace image of a cluster's machines. If one machine size requires Hyper-V generation 2, all machines use that
 * generation (openshift/installer-aro-wrapper pkg/installer/generateconfig.go).
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

/** Returns the image of a version. An earlier release stored the version without images. */
function latestImage(version: string): MachineImage {
  const [major = "4", minor = "0"] = version.split(".");
  return { publisher: "azureopenshift", offer: "aro4", sku: `aro_${major}${minor}`, version: "latest" };
}
