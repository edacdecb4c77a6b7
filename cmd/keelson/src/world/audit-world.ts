import { type AuditedCluster, audit, auditedCluster, type Finding, type Inventory } from "@keelson/sim-azure";
import type { RpClient } from "../rp-client/rp-client.ts";

interface World {
  inventory(): Promise<Inventory>;
}

/**
 * Compares the resources in the simulated Azure with the service's clusters while both run. Reads the clusters before and after
 * the resources. If a cluster's provisioning state differs between both reads, the cluster counts as being changed by an
 * operation.
 */
export async function auditWorld(
  azure: World,
  service: Pick<RpClient, "allClusters">,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const before = await clustersOf(service, signal);
  const inventory = await azure.inventory();
  const after = await clustersOf(service, signal);
  const seen = [...new Map([...before, ...after]).values()];
  const isSame = ({ id }: AuditedCluster) =>
    before.get(id)?.provisioningState === after.get(id)?.provisioningState;
  return audit(
    inventory,
    seen.map((each) => (isSame(each) ? each : { ...each, provisioningState: "" })),
  );
}

async function clustersOf(
  service: Pick<RpClient, "allClusters">,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, AuditedCluster>> {
  const clusters = [...(await service.allClusters(signal))].map(([key, each]) => auditedCluster(each, key));
  return new Map(clusters.map((each) => [each.id, each]));
}
