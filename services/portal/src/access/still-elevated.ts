import type { ServiceDatabase } from "@keelson/model";
import { endSession, sessionIdOf } from "@keelson/portal-sessions";
import { portalErrors } from "../errors/portal-errors.ts";
import type { PortalContext } from "../http/portal-route.ts";
import type { Elevations } from "../sign-in/elevations.ts";

export interface StillElevatedDeps {
  readonly database: ServiceDatabase;
  readonly elevations: Pick<Elevations, "isCurrent">;
}

/**
 * Ends a new session if the person's elevation was ended while the session was created. This is necessary, because the end of an
 * elevation ends only sessions that already exist.
 * @throws Forbidden
 */
export async function checkStillElevated(
  { database, elevations }: StillElevatedDeps,
  { login, signal }: PortalContext,
  token: string,
): Promise<void> {
  if (await elevations.isCurrent(login())) return;
  await endSession(database, sessionIdOf(token), () => true, signal);
  throw portalErrors.Forbidden("Your elevation has ended.");
}
