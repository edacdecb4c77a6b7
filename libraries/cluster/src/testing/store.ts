import { type Clock, silentLogger } from "@keelson/base";
import { createKeyring, generateKey, type Leased, openDatabase } from "@keelson/database";
import { memoryDriver } from "@keelson/database/testing";
import { type ClusterDocument, definitions, type ServiceDatabase } from "@keelson/model";
import { engineErrors } from "../engine/errors.ts";
import type { LeaseGuard } from "../engine/lease-guard.ts";

export const signal = AbortSignal.timeout(10 * 60_000);

/** A database in memory. */
export async function openStore(): Promise<ServiceDatabase> {
  return openDatabase({
    driver: await memoryDriver(),
    definitions,
    keyring: createKeyring({ current: "1", keys: { "1": generateKey() } }),
    logger: silentLogger,
    signal,
  });
}

/** Acquires the one cluster that is queued. */
export async function acquireCluster(
  database: ServiceDatabase,
  owner: string,
  ttlMs = 600_000,
): Promise<Leased<ClusterDocument>> {
  const [leased] = await database.collections.clusters.acquire({ owner, ttlMs, limit: 1, signal });
  if (!leased) throw new Error("no cluster is queued");
  return leased;
}

/** A lease that is held until `lose` is called. */
export function guardOf({ lease, attempt }: Leased<ClusterDocument>): LeaseGuard & { lose(): void } {
  const lost = new AbortController();
  return {
    lease,
    attempt,
    signal: lost.signal,
    assertHeld: () => lost.signal.throwIfAborted(),
    lose: () => lost.abort(engineErrors.LeaseLost("lost by the test")),
  };
}

/** A clock whose sleepers wake at once, and find that the time has passed. */
export function hurriedClock(): Clock & { readonly slept: number[] } {
  let nowMs = Date.parse("2026-01-01T00:00:00Z");
  const slept: number[] = [];
  return {
    slept,
    now: () => new Date(nowMs),
    monotonicMs: () => nowMs,
    async sleep(ms, until) {
      until.throwIfAborted();
      slept.push(ms);
      nowMs += ms;
      await new Promise((resolve) => setImmediate(resolve));
      until.throwIfAborted();
    },
  };
}
