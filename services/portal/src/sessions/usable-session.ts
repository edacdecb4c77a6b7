import { findElevation } from "@keelson/admin-actions";
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

/**
 * Finds a session by its ID. Resolves to undefined if the session, or the elevation that it needs, has ended. A later elevation of
 * the person does not replace the elevation that the session needs.
 */
export async function findUsableSession(
  deps: UsableSessionDeps,
  id: string,
  signal: AbortSignal,
): Promise<UsableSession | undefined> {
  const session = await findOpenSession(deps.database, id, signal);
  if (!session) return undefined;
  const { elevationOf, elevationFrom } = session.document;
  if (elevationOf === undefined) return { session, elevatedUntil: undefined };
  if (elevationFrom === undefined) return undefined;
  const elevation = await findElevation(deps, elevationOf, signal);
  return elevation?.from === elevationFrom ? { session, elevatedUntil: elevation.until } : undefined;
}
