import type { Readiness } from "@keelson/http";
import type { PortalRoute } from "../http/portal-route.ts";

/** 200 while the database responds, or accepts writes, and the portal does not stop. 500 otherwise, with the reason in the log. */
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
