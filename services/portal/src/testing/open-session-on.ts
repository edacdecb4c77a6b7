import assert from "node:assert/strict";
import { systemClock } from "@keelson/base";
import type { ServiceDatabase } from "@keelson/model";
import { openSession, type SessionTerms } from "@keelson/portal-sessions";

type Terms = Omit<SessionTerms, "cluster" | "ttlSeconds"> & Partial<Pick<SessionTerms, "ttlSeconds">>;

/** Opens a session and returns its token. `key` is the key of the stored cluster. Default lifetime: six hours. */
export async function openSessionOn(
  database: ServiceDatabase,
  key: string,
  terms: Terms,
  clock = systemClock,
): Promise<string> {
  const signal = AbortSignal.timeout(900_000);
  const [, , subscription = ""] = key.split("/");
  const cluster = await database.collections.clusters.findBy(subscription, "key", key, signal);
  assert.ok(cluster, key);
  const all = { ttlSeconds: 21_600, ...terms, cluster: cluster.document };
  return openSession(database, all, { clock, signal });
}
