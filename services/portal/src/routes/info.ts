import type { Info } from "@keelson/portal-api";
import { type PortalRoute, route } from "../http/portal-route.ts";
import { csrfToken } from "../sign-in/csrf.ts";
import type { PermissionsOf } from "../sign-in/permissions.ts";
import type { SessionKeys } from "../sign-in/session-keys.ts";

export interface InfoDeps {
  readonly keys: SessionKeys;
  readonly permissionsOf: PermissionsOf;
  readonly location: string;
  readonly version: string;
  readonly banner: Info["banner"];
}

/** Route that returns the signed-in person and the region. */
export function infoRoute({ keys, permissionsOf, location, version, banner }: InfoDeps): PortalRoute {
  return route("GET", "/api/info", ({ login }) => {
    const person = login();
    const info: Info = {
      location,
      csrf: csrfToken(keys, person),
      username: person.username,
      elevated: person.role === "elevated",
      role: person.role,
      ...(person.mayElevate === undefined ? {} : { mayElevate: person.mayElevate }),
      ...(person.elevation ? { elevatedUntil: person.elevation.until.toISOString() } : {}),
      permissions: [...permissionsOf(person.role)],
      expires: person.expires.toISOString(),
      rpVersion: version,
      rpversion: version,
      ...(banner ? { banner } : {}),
    };
    return { status: 200, json: info };
  });
}
