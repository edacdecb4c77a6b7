import { withTimeout } from "@keelson/base";
import type { ServiceDatabase } from "@keelson/model";
import type { PortalRoute } from "../http/portal-route.ts";

const readinessMs = 5_000;

/** 200 while the database answers, 500 otherwise and once the portal stops. */
export function readinessRoute(database: ServiceDatabase, isStopping: () => boolean): PortalRoute {
  return {
    method: "GET",
    path: "/healthz/ready",
    access: "open",
    async handle({ signal }) {
      if (isStopping()) return { status: 500 };
      const isReady = await database.ping(withTimeout(signal, readinessMs)).then(
        () => true,
        () => false,
      );
      return { status: isReady ? 200 : 500 };
    },
  };
}
