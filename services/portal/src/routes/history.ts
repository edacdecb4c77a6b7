import type { ServiceDatabase } from "@keelson/model";
import { endSession } from "@keelson/portal-sessions";
import { clusterIdOf, getCluster } from "../clusters/find-cluster.ts";
import { portalErrors } from "../errors.ts";
import { readActions } from "../history/actions.ts";
import { activityOf } from "../history/activity.ts";
import { readMaintenance } from "../history/maintenance.ts";
import { readOperations } from "../history/operations.ts";
import { readSessions } from "../history/sessions.ts";
import { clusterPath, type PortalContext, type PortalRoute } from "../http/portal-route.ts";

/** What happened to a cluster and who is in it, from the database. */
export function historyRoutes(database: ServiceDatabase): readonly PortalRoute[] {
  const operations = (context: PortalContext) =>
    readOperations(database, context.parameter("subscription"), clusterIdOf(context), context.signal);
  const manifests = (context: PortalContext) =>
    readMaintenance(database, clusterIdOf(context), context.signal);
  const actions = (context: PortalContext) =>
    readActions(database, context.parameter("subscription"), clusterIdOf(context), context.signal);
  const sessions = (context: PortalContext) => readSessions(database, clusterIdOf(context), context.signal);
  const reads: Readonly<Record<string, (context: PortalContext) => Promise<unknown>>> = {
    operations: async (context) => ({ operations: await operations(context) }),
    maintenance: async (context) => ({ manifests: await manifests(context) }),
    actions: async (context) => ({ actions: await actions(context) }),
    sessions: async (context) => ({ sessions: await sessions(context) }),
    async activity(context) {
      const all = [operations(context), actions(context), manifests(context), sessions(context)] as const;
      const [ofOperations, ofActions, ofManifests, ofSessions] = await Promise.all(all);
      return activityOf({
        operations: ofOperations,
        actions: ofActions,
        manifests: ofManifests,
        sessions: ofSessions,
      });
    },
  };
  return [
    ...Object.entries(reads).map(
      ([name, read]): PortalRoute => ({
        method: "GET",
        path: `${clusterPath.data}/${name}`,
        access: "login",
        carriesClusterData: true,
        async handle(context) {
          await getCluster(database, context);
          return { status: 200, json: await read(context) };
        },
      }),
    ),
    endSessionRoute(database),
  ];
}

/** Ends a session: of one's own, or with all rights any. */
function endSessionRoute(database: ServiceDatabase): PortalRoute {
  return {
    method: "DELETE",
    path: `${clusterPath.data}/sessions/{session}`,
    access: "login",
    async handle(context) {
      const { login, parameter, signal } = context;
      const cluster = clusterIdOf(context);
      const id = parameter("session");
      const { username, role } = login();
      const stored = await database.collections.portalSessions.find(id, id, signal);
      const notFound = () => portalErrors.NotFound("The cluster has no such session.");
      if (stored?.document.portal.id !== cluster) throw notFound();
      if (stored.document.portal.username !== username && role !== "elevated")
        throw portalErrors.Forbidden("Elevated access is required to end a session of another person.");
      if (!(await endSession(database, cluster, id, signal))) throw notFound();
      return { status: 204 };
    },
  };
}
