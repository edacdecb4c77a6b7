import { elevatedUntil } from "@keelson/admin-actions";
import type { Clock } from "@keelson/base";
import type { ServiceDatabase } from "@keelson/model";
import { findOpenSession, type OpenSession } from "@keelson/portal-sessions";

export interface UsableSessionDeps {
  readonly database: ServiceDatabase;
  readonly clock: Clock;
}

export interface UsableSession {
  readonly session: OpenSession;
  /** Expiry time of the elevation that the session needs. Undefined if the session needs no elevation. */
  readonly elevatedUntil: Date | undefined;
}

/** Finds a session by its ID. Resolves to undefined if the session, or the elevation that it needs, has ended. */
export async function findUsableSession(
  deps: UsableSessionDeps,
  id: string,
  signal: AbortSignal,
): Promise<UsableSession | undefined> {
  const session = await findOpenSession(deps.database, id, signal);
  const subject = session?.document.elevationOf;
  if (!session || subject === undefined) return session && { session, elevatedUntil: undefined };
  const until = await elevatedUntil(deps, subject, signal);
  return until && { session, elevatedUntil: until };
}
