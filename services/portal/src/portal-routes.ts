import type { Readiness } from "@keelson/http";
import { newKubeconfigRoute } from "./access/new-kubeconfig.ts";
import { newSshRoute } from "./access/new-ssh.ts";
import { eventsRoute } from "./events/events-route.ts";
import type { FleetEvents } from "./events/fleet-events.ts";
import type { PortalRoute } from "./http/portal-route.ts";
import type { ClusterEndpoints } from "./kubeconfig/cluster-endpoints.ts";
import type { Asset } from "./pages/assets.ts";
import { pageRoutes } from "./pages/page-routes.ts";
import type { PortalOptions, PortalSignIn } from "./portal-options.ts";
import { type ActionRoutesDeps, actionRoutes } from "./routes/action-requests.ts";
import { azureResourceRoutes } from "./routes/azure-resources.ts";
import { clusterDataRoutes } from "./routes/cluster-data.ts";
import { clusterRoutes } from "./routes/clusters.ts";
import { elevationRoutes } from "./routes/elevation.ts";
import { historyRoutes } from "./routes/history.ts";
import { infoRoute } from "./routes/info.ts";
import { insideRoutes } from "./routes/inside.ts";
import { prometheusRoutes } from "./routes/prometheus.ts";
import { readinessRoutes } from "./routes/readiness.ts";
import { recordingRoutes } from "./routes/recordings.ts";
import { regionsRoute } from "./routes/regions.ts";
import { sessionRoutes } from "./routes/sessions.ts";
import { signInRoutes } from "./routes/sign-in.ts";
import type { Elevations } from "./sign-in/elevations.ts";
import type { EntraId } from "./sign-in/entra-id.ts";
import type { Logins } from "./sign-in/login.ts";
import type { PersonTokens } from "./sign-in/person-tokens.ts";
import type { SessionKeys } from "./sign-in/session-keys.ts";
import type { SignOuts } from "./sign-in/sign-outs.ts";

export interface RoutesDeps extends Omit<PortalOptions, "adminApi" | "assets" | "rules"> {
  readonly readiness: Readiness;
  readonly origin: string;
  readonly endpoints: ClusterEndpoints;
  readonly events: FleetEvents;
  readonly assets: ReadonlyMap<string, Asset> | undefined;
  readonly certificatePem: () => string;
  /** Sign-in dependencies. Undefined if sign-in is not configured. */
  readonly people?:
    | {
        readonly signIn: PortalSignIn;
        readonly keys: SessionKeys;
        readonly logins: Logins;
        readonly signOuts: SignOuts;
        readonly elevations: Elevations;
        readonly entraId: EntraId;
        readonly personTokens: PersonTokens;
      }
    | undefined;
  readonly actions: Pick<ActionRoutesDeps, "adminApi" | "rules">;
}

/** Returns all routes of the portal except the kubeconfig proxy. */
export function portalRoutes(deps: RoutesDeps): readonly PortalRoute[] {
  const { database, people, clock, origin, location = "", version = "" } = deps;
  const { actions } = deps;
  const { regions = [], permissionsOf = () => [] } = deps;
  const ready = readinessRoutes(deps.readiness);
  if (!people) return ready;
  const { signIn, keys, signOuts, elevations } = people;
  return [
    ...ready,
    ...signInRoutes({ ...people, groups: signIn.groups, origin, clock }),
    infoRoute({ keys, permissionsOf, location, version, banner: deps.banner }),
    regionsRoute(regions),
    eventsRoute({ ...deps, signOuts }),
    ...clusterRoutes(deps),
    ...clusterDataRoutes(deps),
    ...insideRoutes({ ...deps, signOuts, elevations }),
    ...historyRoutes(database, clock),
    ...sessionRoutes(database),
    ...recordingRoutes(database),
    ...prometheusRoutes(deps),
    ...actionRoutes({ database, clock, adminScope: deps.signIn?.scope, ...actions }),
    ...azureResourceRoutes({ database, clock, ...actions }),
    ...elevationRoutes({ database, clock, ...actions }),
    newKubeconfigRoute({ ...deps, signOuts, elevations }),
    newSshRoute({ ...deps, ssh: deps.ssh, signOuts, elevations }),
    ...pageRoutes(deps.assets),
  ];
}
