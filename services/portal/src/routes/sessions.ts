import type { ServiceDatabase } from "@keelson/model";
import { endSession, listSessions, type OpenSession } from "@keelson/portal-sessions";
import { clusterIdOf } from "../clusters/find-cluster.ts";
import { portalErrors } from "../errors/portal-errors.ts";
import { sessionView } from "../history/sessions.ts";
import {
  clusterPath,
  type PortalContext,
  type PortalResponse,
  type PortalRoute,
  route,
} from "../http/portal-route.ts";

/**
 * Routes that list and end open sessions of the signed-in person. A person with an elevation can also list and end the sessions
 * of other people.
 */
export function sessionRoutes(database: ServiceDatabase): readonly PortalRoute[] {
  return [
    route("GET", "/api/sessions", async (context) => {
      const person = context.url.searchParams.get("username") ?? context.login().username;
      if (!mayEnd(context, person))
        throw portalErrors.Forbidden("Elevated access is required to list the sessions of another person.");
      const sessions = await listSessions(database, { person }, context.signal);
      return { status: 200, person, json: { sessions: sessions.map(sessionView) } };
    }),
    route("DELETE", "/api/sessions/{session}", (context) => end(database, context, () => true)),
    route("DELETE", `${clusterPath.data}/sessions/{session}`, (context) =>
      end(database, context, ({ document }) => document.portal.id === clusterIdOf(context)),
    ),
  ];
}

/** Ends the session that the request's path identifies. @throws Forbidden, NotFound */
async function end(
  database: ServiceDatabase,
  context: PortalContext,
  isAtPath: (session: OpenSession) => boolean,
): Promise<PortalResponse> {
  let person = "";
  const allows = (session: OpenSession) => {
    if (!isAtPath(session)) return false;
    person = session.document.portal.username;
    if (mayEnd(context, person)) return true;
    throw portalErrors.Forbidden("Elevated access is required to end a session of another person.");
  };
  if (!(await endSession(database, context.parameter("session"), allows, context.signal)))
    throw portalErrors.NotFound("There is no such open session.");
  return { status: 204, person };
}

function mayEnd({ login }: PortalContext, person: string): boolean {
  const { username, role } = login();
  return role === "elevated" || person.toLowerCase() === username.toLowerCase();
}
