import { type AuditedCluster, audit, auditedCluster, type Finding, type Inventory } from "@keelson/sim-azure";
import type { RpClient } from "../rp-client/rp-client.ts";

interface World {
  inventory(): Promise<Inventory>;
}

/**
 * Compares the resources in the simulated Azure with the service's clusters while both run. If a cluster changes between two
 * reads, an operation on this cluster is in progress.
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
