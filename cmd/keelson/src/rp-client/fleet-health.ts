import type { ListedCluster, RpClient } from "./rp-client.ts";

export interface ClusterHealthRow {
  readonly name: string;
  readonly resourceGroup: string;
  /** Provisioning state. */
  readonly state: string;
  /** Availability in the terms of Azure Resource Health, for example `Degraded`. */
  readonly health: string;
  readonly reason: string;
}

export interface FleetHealth {
  readonly clusters: readonly ClusterHealthRow[];
  /** Number of clusters that are not in `clusters`. */
  readonly omittedClusters: number;
}

/** Order of the rows: clusters with a problem first. Unlisted states come last. */
const ranks = ["Unavailable", "Degraded", "Unknown", "Available"];
const concurrency = 8;

/**
 * Reads the health of at most `limit` clusters. If there are more clusters, clusters with a failed operation are read first.
 * Returns the clusters with a problem first.
 */
export async function fleetHealth(
  client: Pick<RpClient, "listClusters" | "availability">,
  limit: number,
  signal: AbortSignal,
): Promise<FleetHealth> {
  const all = await client.listClusters(signal);
  const chosen = [...all].sort((a, b) => failedFirst(a) - failedFirst(b)).slice(0, limit);
  const rows: ClusterHealthRow[] = [];
  const queue = chosen.values();
  const read = async () => {
    for (const cluster of queue) rows.push(await rowOf(client, cluster, signal));
  };
  await Promise.all(Array.from({ length: concurrency }, read));
  const rank = ({ health }: ClusterHealthRow) =>
    (ranks.indexOf(health) + ranks.length + 1) % (ranks.length + 1);
  rows.sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
  return { clusters: rows, omittedClusters: all.length - chosen.length };
}

function failedFirst({ state }: ListedCluster): number {
  return state === "Failed" ? 0 : 1;
}

async function rowOf(
  client: Pick<RpClient, "availability">,
  { name, resourceGroup, state }: ListedCluster,
  signal: AbortSignal,
): Promise<ClusterHealthRow> {
  const found = await client.availability({ name, resourceGroup }, signal);
  const { state: health, reason } = found ?? { state: "Unknown", reason: "NotObserved" };
  return { name, resourceGroup, state, health, reason };
}
