import type { Stored } from "@keelson/database";
import {
  type ClusterDocument,
  isBoundTo,
  type PortalSessionDocument,
  type ServiceDatabase,
} from "@keelson/model";
import { isSignedOut, personKey } from "./generation.ts";

/** Currently valid session with its cluster. */
export interface OpenSession extends Stored<PortalSessionDocument> {
  readonly cluster: ClusterDocument;
}

/** Checks a session. Resolves to the session if it is open, and to undefined if it has ended. */
export type SessionCheck = (stored: Stored<PortalSessionDocument>) => Promise<OpenSession | undefined>;

/**
 * Finds an open session by its ID. Returns undefined if the session has ended. A session ends when its document or its cluster's
 * document is deleted. It also ends when its sign-in ends, or when all sessions of its person are ended. The commit that deletes
 * a cluster also deletes the cluster's document, and therefore ends all sessions of the cluster.
 */
export async function findOpenSession(
  database: ServiceDatabase,
  id: string,
  signal: AbortSignal,
): Promise<OpenSession | undefined> {
  const stored = await database.collections.portalSessions.find(id, id, signal);
  return stored && sessionCheck(database, signal)(stored);
}

/**
 * Returns a check for several sessions. The check reads the document of a cluster, person or sign-in only once, even if several
 * sessions refer to it.
 */
export function sessionCheck(
  { collections: { clusters, portalSignOuts } }: ServiceDatabase,
  signal: AbortSignal,
): SessionCheck {
  const findCluster = once((key) => clusters.findBy(key.split("/")[2], "key", key, signal));
  const findSignOut = once((key) => portalSignOuts.find(key, key, signal));
  return async (stored) => {
    const { portal, signIn, generation, createdAt, clusterDocumentId } = stored.document;
    const [cluster, person, signOut] = await Promise.all([
      findCluster(portal.id),
      findSignOut(personKey(portal.username)),
      signIn === undefined ? undefined : findSignOut(signIn),
    ]);
    if (!cluster || !isBoundTo(cluster.document, clusterDocumentId, createdAt)) return undefined;
    if (signOut || isSignedOut(person?.document, { generation, at: createdAt })) return undefined;
    return { ...stored, cluster: cluster.document };
  };
}

function once<T>(read: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const reads = new Map<string, Promise<T>>();
  return (key) => {
    const known = reads.get(key) ?? read(key);
    reads.set(key, known);
    return known;
  };
}
