import type { PortalRoute } from "../http/portal-route.ts";
import { isPortalReady, type ReadinessOptions } from "../http/readiness.ts";

/** Responds 200 if the database responds, and 500 otherwise and after the start of a stop. */
export function readinessRoute(readiness: ReadinessOptions): PortalRoute {
  return {
    method: "GET",
    path: "/healthz/ready",
    access: "open",
    handle: async () => ({ status: (await isPortalReady(readiness)) ? 200 : 500 }),
  };
}
