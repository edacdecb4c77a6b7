import { CloudError } from "@keelson/arm";
import { listMachineSkus, type MachineSku } from "@keelson/azure";
import {
  controlPlaneReplicas,
  firstWorkerProfile,
  type OpenShiftCluster,
  withProperties,
} from "@keelson/model";
import type { ClusterContext } from "../context/context.ts";

/** Zones that clusters can use. Most regions have these zones, and a few regions have more. */
const usualZones = ["1", "2", "3"];

/** Stores the availability zones of the cluster. The list is empty in regions without zones. */
export async function validateZones({ cluster, azure, signal, update }: ClusterContext): Promise<void> {
  const skus = await listMachineSkus(azure.compute, cluster.location, signal);
  const zones = planZones(cluster, skus);
  await update((current) => withProperties(current, { zones }));
}

/**
 * Returns the zones that support the sizes of both masters and workers. Azure/ARO-RP (pkg/util/azurezones) rejects the same
 * sizes, but with an internal error.
 * @throws CloudError InvalidParameter for sizes that cannot be distributed across zones
 */
export function planZones(
  cluster: OpenShiftCluster,
  skus: ReadonlyMap<string, Pick<MachineSku, "zones">>,
): readonly string[] {
  const { location } = cluster;
  const of = (vmSize: string, target: string) => {
    const sku = skus.get(vmSize);
    if (!sku) {
      const message = `The selected SKU '${vmSize}' is unavailable in region '${location}'`;
      throw new CloudError("InvalidParameter", message, { target });
    }
    return { vmSize, target, zones: usualZones.filter((zone) => sku.zones.includes(zone)) };
  };
  const masters = of(cluster.properties.masterProfile.vmSize, "properties.masterProfile.VMSize");
  const workers = of(firstWorkerProfile(cluster).vmSize, "properties.workerProfiles[0].VMSize");
  if ((masters.zones.length === 0) !== (workers.zones.length === 0)) {
    throw new CloudError(
      "InvalidParameter",
      `The selected SKU '${masters.vmSize}' is in ${masters.zones.length} availability zones of region '${location}' and '${workers.vmSize}' in ${workers.zones.length}: both must be zonal, or neither.`,
      { target: workers.target },
    );
  }
  for (const { vmSize, target, zones } of [masters, workers]) {
    if (zones.length === 0 || zones.length >= controlPlaneReplicas) continue;
    throw new CloudError(
      "InvalidParameter",
      `The selected SKU '${vmSize}' is in ${zones.length} availability zones of region '${location}': ${controlPlaneReplicas} are needed.`,
      { target },
    );
  }
  return masters.zones;
}
