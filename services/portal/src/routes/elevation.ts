import { elevate, endElevation } from "@keelson/admin-actions";
import type { Clock } from "@keelson/base";
import type { ServiceDatabase } from "@keelson/model";
import { elevationRequestSchema } from "@keelson/portal-api";
import { endSession, listSessions } from "@keelson/portal-sessions";
import { Value } from "typebox/value";
import type { ActionRules } from "../action-requests/action-forms.ts";
import { portalErrors } from "../errors/portal-errors.ts";
import { type PortalRoute, route } from "../http/portal-route.ts";

export interface ElevationRoutesDeps {
  readonly database: ServiceDatabase;
  readonly rules: ActionRules;
  readonly clock: Clock;
}

/** Routes that activate and end a person's elevation. When an elevation ends, the sessions that need it also end. */
export function elevationRoutes(deps: ElevationRoutesDeps): readonly PortalRoute[] {
  const { database, rules } = deps;
  const path = "/api/elevation";
  return [
    route("POST", path, async (context) => {
      const { elevation } = rules.governance;
      if (!elevation) throw portalErrors.NotConfigured("Roles need no activation in this portal.");
      const { mayElevate, subject, username } = context.login();
      context.audit({ subject });
      if (mayElevate !== true || subject === undefined)
        throw portalErrors.Forbidden("None of your groups may activate the role 'elevated'.");
      const body = await context.json();
      if (!Value.Check(elevationRequestSchema, body) || body.reason.trim() === "")
        throw portalErrors.BadRequest("The body must have 'reason' and 'minutes'.");
      if (body.minutes > elevation.maxMinutes)
        throw portalErrors.BadRequest(`The role lasts ${elevation.maxMinutes} minutes at most.`);
      const person = { subject, username, reason: body.reason.trim(), minutes: body.minutes };
      context.audit({ because: person.reason });
      const { until } = await elevate(deps, person, context.signal);
      context.audit({ until });
      return { status: 200, json: { until } };
    }),
    route("DELETE", path, async (context) => {
      const { subject, username } = context.login();
      context.audit({ subject });
      if (subject === undefined) return { status: 204 };
      await endElevation(database, subject, context.signal);
      const names = [username, subject];
      context.audit({ endedSessions: await endElevatedSessions(database, names, context.signal) });
      return { status: 204 };
    }),
  ];
}

/**
 * Ends the person's SSH connections, and the person's kubeconfigs with all permissions. `names` contains the person's user
 * name and subject. Sessions that were created through the admin API have the subject as the person's name. Returns the number of
 * ended sessions.
 */
async function endElevatedSessions(
  database: ServiceDatabase,
  names: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  const lists = await Promise.all(names.map((person) => listSessions(database, { person }, signal)));
  const sessions = lists.flat();
  const elevated = sessions.filter(({ document: { portal } }) => portal.ssh || portal.kubeconfig?.elevated);
  const ended = await Promise.all(
    elevated.map(({ document }) => endSession(database, document.id, () => true, signal)),
  );
  return ended.filter(Boolean).length;
}
