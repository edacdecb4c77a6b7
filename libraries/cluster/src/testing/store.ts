import { silentLogger } from "@keelson/base";
import { createKeyring, generateKey, type Leased, openDatabase } from "@keelson/database";
import { memoryDriver } from "@keelson/database/testing";
import { type ClusterDocument, definitions, type ServiceDatabase } from "@keelson/model";

export { guardOf, hurriedClock } from "@keelson/workflow/testing";

export const signal = AbortSignal.timeout(10 * 60_000);

/** Opens a database in memory. */
export async function openStore(): Promise<ServiceDatabase> {
  return openDatabase({
    driver: await memoryDriver(),
    definitions,
    keyring: createKeyring({ current: "1", keys: { "1": generateKey() } }),
    logger: silentLogger,
    signal,
  });
}

/** Acquires the only queued cluster. */
export async function acquireCluster(
  database: ServiceDatabase,
  owner: string,
  ttlMs = 600_000,
): Promise<Leased<ClusterDocument>> {
  const [leased] = await database.collections.clusters.acquire({ owner, ttlMs, limit: 1, signal });
  if (!leased) throw new Error("no cluster is queued");
  return leased;
}
