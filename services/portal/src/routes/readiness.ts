import type { PortalRoute } from "../http/portal-route.ts";
import { isPortalReady, type ReadinessOptions } from "../http/readiness.ts";

/** 200 while the database answers, 500 otherwise and once the portal stops. */
export function readinessRoute(readiness: ReadinessOptions): PortalRoute {
  return {
    method: "GET",
    path: "/healthz/ready",
    access: "open",
    handle: async () => ({ status: (await isPortalReady(readiness)) ? 200 : 500 }),
  };
}
