import type { Readiness } from "@keelson/http";
import type { PortalRoute } from "../http/portal-route.ts";

/**
 * Readiness routes. They return 200 if the portal is not stopping and the database responds. The second route also requires that
 * the database accepts writes. In all other cases, the routes return 500 and log the reason.
 */
export function readinessRoutes(readiness: Readiness): readonly PortalRoute[] {
  return [
    {
      method: "GET",
      path: "/healthz/ready",
      access: "open",
      handle: async () => ({ status: (await readiness.reads()) ? 500 : 200 }),
    },
    {
      method: "GET",
      path: "/healthz/ready/write",
      access: "open",
      handle: async () => ({ status: (await readiness.writes()) ? 500 : 200 }),
    },
  ];
}
