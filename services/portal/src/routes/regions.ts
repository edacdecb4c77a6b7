import type { Regions } from "@keelson/portal-api";
import { type PortalRoute, route } from "../http/portal-route.ts";

/** Route that returns the configured portals of other regions. */
export function regionsRoute(regions: Regions["regions"]): PortalRoute {
  const json: Regions = { regions: [...regions] };
  return route("GET", "/api/regions", () => ({ status: 200, json }));
}
