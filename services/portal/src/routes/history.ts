import type { Clock } from "@keelson/base";
import type { ClusterDocument, ServiceDatabase } from "@keelson/model";
import { listSessions } from "@keelson/portal-sessions";
import { clusterIdOf, getCluster } from "../clusters/find-cluster.ts";
import { readActions } from "../history/actions.ts";
import { activityOf } from "../history/activity.ts";
import { readMaintenance, readTasks } from "../history/maintenance.ts";
import { readOperations } from "../history/operations.ts";
import { sessionView } from "../history/sessions.ts";
import { stepDurationsReader } from "../history/step-durations.ts";
import { readStepLogs } from "../history/step-logs.ts";
import { clusterPath, type PortalContext, type PortalRoute, route } from "../http/portal-route.ts";

/** Routes for operations, maintenance, actions and sessions of a cluster. They read from the database. */
export function historyRoutes(database: ServiceDatabase, clock: Clock): readonly PortalRoute[] {
  const operations = (context: PortalContext) =>
    readOperations(database, context.parameter("subscription"), clusterIdOf(context), context.signal);
  const manifests = (context: PortalContext, cluster: ClusterDocument) =>
    readMaintenance(database, cluster, context.signal);
  const actions = (context: PortalContext) =>
    readActions(database, context.parameter("subscription"), clusterIdOf(context), context.signal);
  const sessions = async (context: PortalContext) =>
    (await listSessions(database, { cluster: clusterIdOf(context) }, context.signal)).map(sessionView);
  const readDurations = stepDurationsReader(database, clock);
  const reads: Readonly<
    Record<string, (context: PortalContext, cluster: ClusterDocument) => Promise<unknown>>
  > = {
    operations: async (context) => ({ operations: await operations(context) }),
    "operations/{operation}/logs": (context) =>
      readStepLogs(
        database,
        {
          partitionKey: context.parameter("subscription"),
          cluster: clusterIdOf(context),
          operationId: context.parameter("operation"),
        },
        context.signal,
      ),
    async maintenance(context, cluster) {
      const all = [manifests(context, cluster), readTasks(database, context.signal)] as const;
      const [ofCluster, tasks] = await Promise.all(all);
      return { manifests: ofCluster, tasks };
    },
    actions: async (context) => ({ actions: await actions(context) }),
    sessions: async (context) => ({ sessions: await sessions(context) }),
    async activity(context, cluster) {
      const all = [
        operations(context),
        actions(context),
        manifests(context, cluster),
        sessions(context),
      ] as const;
      const [ofOperations, ofActions, ofManifests, ofSessions] = await Promise.all(all);
      return activityOf({
        operations: ofOperations,
        actions: ofActions,
        manifests: ofManifests,
        sessions: ofSessions,
      });
    },
  };
  const ofClusters = Object.entries(reads).map(
    ([name, read]): PortalRoute => ({
      method: "GET",
      path: `${clusterPath.data}/${name}`,
      carriesClusterData: true,
      async handle(context) {
        const cluster = await getCluster(database, context);
        return { status: 200, json: await read(context, cluster) };
      },
    }),
  );
  return [
    ...ofClusters,
    route("GET", "/api/step-durations", async ({ signal }) => ({
      status: 200,
      json: await readDurations(signal),
    })),
  ];
}
