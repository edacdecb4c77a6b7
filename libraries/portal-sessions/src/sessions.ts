import { randomUUID } from "node:crypto";
import type { Clock } from "@keelson/base";
import { create, remove } from "@keelson/database";
import type { ClusterDocument, PortalSessionDocument, ServiceDatabase } from "@keelson/model";
import { findOpenSession, type OpenSession, sessionCheck } from "./find-open-session.ts";
import { findGeneration } from "./generation.ts";
import { sessionIdOf } from "./session-token.ts";

/** Lifetime of a kubeconfig in seconds. No session has a longer lifetime. */
export const kubeconfigSeconds = 21_600;

/** Returns the lifetime of a kubeconfig in seconds. It ends at `expiry`, the end of the elevation that the kubeconfig needs, if any. */
export function kubeconfigTtl(expiry: Date | undefined, clock: Clock): number {
  if (expiry === undefined) return kubeconfigSeconds;
  const left = Math.floor((expiry.getTime() - clock.now().getTime()) / 1_000);
  return Math.max(1, Math.min(kubeconfigSeconds, left));
}

/** Sign-in to which a session belongs. */
export type SessionSignIn = Required<Pick<PortalSessionDocument, "signIn" | "generation">>;

/** Elevation that a session needs. */
export interface SessionElevation {
  /** Subject of the elevated person. */
  readonly of: string;
  /** Start time of the elevation (RFC 3339). It identifies the elevation. */
  readonly from: string;
}

/** Permissions and lifetime of a new session. */
export interface SessionTerms extends Pick<PortalSessionDocument, "ttlSeconds"> {
  readonly cluster: Pick<ClusterDocument, "id" | "key">;
  readonly portal: Omit<PortalSessionDocument["portal"], "id">;
  /**
   * Sign-in to which the session belongs. By default, the session belongs to no sign-in, as for sessions of the admin API. Such a
   * session ends when an administrator ends all sessions of its person.
   */
  readonly signIn?: SessionSignIn;
  /** Elevation that the session needs. By default, the session does not depend on an elevation. */
  readonly elevation?: SessionElevation | undefined;
}

const pageSize = 500;
/** Maximum number of stored sessions that are read to create one list. Ended sessions count too. */
const mostRead = 5_000;

/** Stores a session and returns its bearer token. */
export async function openSession(
  database: ServiceDatabase,
  { cluster, portal, ttlSeconds, signIn, elevation }: SessionTerms,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<string> {
  const token = randomUUID();
  const id = sessionIdOf(token);
  const document: PortalSessionDocument = {
    id,
    partitionKey: id,
    ttlSeconds,
    createdAt: clock.now().toISOString(),
    portal: { ...portal, id: cluster.key },
    clusterDocumentId: cluster.id,
    ...(elevation ? { elevationOf: elevation.of, elevationFrom: elevation.from } : {}),
    ...(signIn ?? { generation: await findGeneration(database, portal.username, signal) }),
  };
  const write = create(database.collections.portalSessions, document);
  const result = await database.commit(id, [write], { signal });
  if (result.kind !== "committed") throw new Error(`a session was not stored: ${result.kind}`);
  return token;
}

/** Lists the open sessions of a cluster or of a person, newest first. `of` is the cluster's key or the person's name. */
export async function listSessions(
  database: ServiceDatabase,
  of: { readonly cluster: string } | { readonly person: string },
  signal: AbortSignal,
): Promise<readonly OpenSession[]> {
  const where = "cluster" in of ? { clusterKey: of.cluster } : { person: of.person.toLowerCase() };
  const { portalSessions } = database.collections;
  const check = sessionCheck(database, signal);
  const sessions: OpenSession[] = [];
  let position: { readonly continuation?: string } = {};
  for (let read = 0; read < mostRead; read += pageSize) {
    const { items, continuation } = await portalSessions.list(
      { where, limit: pageSize, ...position },
      signal,
    );
    const open = await Promise.all(items.map(check));
    sessions.push(...open.filter((session) => session !== undefined));
    if (continuation === undefined) break;
    position = { continuation };
  }
  const newestFirst = (a: OpenSession, b: OpenSession) =>
    (b.document.createdAt ?? "").localeCompare(a.document.createdAt ?? "");
  return sessions.sort(newestFirst);
}

/**
 * Ends an open session if `allows` accepts it. The session's token is then rejected in the next request. Returns false if no
 * session was ended.
 * @throws errors of `allows`
 */
export async function endSession(
  database: ServiceDatabase,
  id: string,
  allows: (session: OpenSession) => boolean,
  signal: AbortSignal,
): Promise<boolean> {
  // If the session is used during this call, its document changes. The loop then reads the document again.
  for (;;) {
    const session = await findOpenSession(database, id, signal);
    if (!session || !allows(session)) return false;
    const write = remove(database.collections.portalSessions, session);
    const result = await database.commit(id, [write], { signal });
    if (result.kind === "committed") return true;
  }
}
