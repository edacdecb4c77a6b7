import { randomUUID } from "node:crypto";
import type { Clock } from "@keelson/base";
import { create, remove } from "@keelson/database";
import type { PortalSessionDocument, ServiceDatabase } from "@keelson/model";
import { sessionIdOf } from "./session-token.ts";

/** What the bearer of a token may do, and for how long. */
export type SessionTerms = Pick<PortalSessionDocument, "portal" | "ttlSeconds">;

/** Of one cluster. */
const mostListed = 500;

/** Stores what the portal lets the bearer of the answered token do. */
export async function openSession(
  database: ServiceDatabase,
  { portal, ttlSeconds }: SessionTerms,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<string> {
  const token = randomUUID();
  const id = sessionIdOf(token);
  const createdAt = clock.now().toISOString();
  const document = { id, partitionKey: id, ttlSeconds, createdAt, portal };
  const write = create(database.collections.portalSessions, document);
  const result = await database.commit(id, [write], { signal });
  if (result.kind !== "committed") throw new Error(`a session was not stored: ${result.kind}`);
  return token;
}

/** The open sessions of a cluster, the newest first. Those that releases before this one opened are not among them. */
export async function listSessions(
  database: ServiceDatabase,
  cluster: string,
  signal: AbortSignal,
): Promise<readonly PortalSessionDocument[]> {
  const query = { where: { clusterKey: cluster }, limit: mostListed };
  const { items } = await database.collections.portalSessions.list(query, signal);
  const newestFirst = (a: PortalSessionDocument, b: PortalSessionDocument) =>
    (b.createdAt ?? "").localeCompare(a.createdAt ?? "");
  return items.map(({ document }) => document).sort(newestFirst);
}

/** Ends a session of a cluster: its token is good for nothing from the next request on. False where there is none. */
export async function endSession(
  database: ServiceDatabase,
  cluster: string,
  id: string,
  signal: AbortSignal,
): Promise<boolean> {
  const { portalSessions } = database.collections;
  // One that was used meanwhile has changed; it is read once more.
  for (;;) {
    const stored = await portalSessions.find(id, id, signal);
    if (stored?.document.portal.id !== cluster) return false;
    const result = await database.commit(id, [remove(portalSessions, stored)], { signal });
    if (result.kind === "committed") return true;
  }
}
