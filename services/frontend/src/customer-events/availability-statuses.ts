import { type AvailabilityChange, availabilityAt, type ClusterDocument } from "@keelson/model";
import { clusterNotFound, findCluster } from "../clusters/find-cluster.ts";
import { paths } from "../http/messages/paths.ts";
import type { RequestContext } from "../http/messages/request-context.ts";
import { knownVersion } from "../http/messages/version-rule.ts";
import type { Route } from "../http/route.ts";
import type { Service } from "../service/service.ts";

/** Returns the availability of a cluster and its changes, newest first, in the format of Azure Resource Health. */
export const listAvailabilityStatuses: Route = {
  method: "GET",
  path: paths.availabilityStatuses,
  versions: knownVersion,
  async handle(request, service) {
    return { status: 200, body: { value: await statusesOf(request, service) } };
  },
};

/** Returns the current availability of a cluster. */
export const getAvailabilityStatus: Route = {
  method: "GET",
  path: paths.currentAvailabilityStatus,
  versions: knownVersion,
  async handle(request, service) {
    const [current] = await statusesOf(request, service);
    return { status: 200, body: current };
  },
};

async function statusesOf(
  request: RequestContext,
  { database, clock }: Service,
): Promise<readonly [object, ...object[]]> {
  const cluster = (await findCluster(request, database))?.document;
  if (!cluster) throw clusterNotFound(request);
  const { clusterHealth } = database.collections;
  const health = (await clusterHealth.find(cluster.partitionKey, cluster.id, request.signal))?.document;
  const { createdAt } = cluster.openShiftCluster.properties;
  const [current, ...earlier] = availabilityAt(health, clock.now(), createdAt);
  // The reported time of the current status is the time of the last observation. The reported time of an earlier status is the
  // start of the status that follows it.
  const reportedAt = (index: number) => (index === 0 ? current : earlier[index - 1])?.since ?? current.since;
  return [
    statusOf(cluster, current, "current", health?.observedAt ?? current.since),
    ...earlier.map((change, index) => statusOf(cluster, change, change.since, reportedAt(index))),
  ];
}

function statusOf(
  { openShiftCluster: { id, location, properties } }: ClusterDocument,
  { state, reason, since }: AvailabilityChange,
  name: string,
  reportedTime: string,
): object {
  const isHealthy = state === "Available" || state === "Unknown";
  const { maintenanceState } = properties;
  const isPlanned = name === "current" && maintenanceState === "Planned";
  return {
    id: `${id}/providers/Microsoft.ResourceHealth/availabilityStatuses/${name}`,
    name,
    type: "Microsoft.ResourceHealth/AvailabilityStatuses",
    location,
    properties: {
      availabilityState: state,
      title: state,
      summary: summaries[reason] ?? state,
      reasonType: isHealthy ? "" : isPlanned ? "Planned" : "Unplanned",
      detailedStatus: reason,
      occuredTime: since,
      reasonChronicity: "Persistent",
      reportedTime,
      ...(name === "current" && maintenanceState === "CustomerActionNeeded" ? customerAction : {}),
    },
  };
}

const customerAction = {
  recommendedActions: [
    { action: "Maintenance of this cluster needs an action of yours. Contact the service's support." },
  ],
};

/** Messages for the reasons that `availabilityOf` or `availabilityAt` returns. */
const summaries: Readonly<Record<string, string>> = {
  Healthy: "The cluster's API server, operators and nodes are healthy.",
  ApiServerNotResponding: "The cluster's API server does not respond to the service.",
  ApiServerUnhealthy: "The cluster's API server responds, but its health check fails.",
  OperatorsUnavailable: "At least one cluster operator is not available. See 'oc get clusteroperators'.",
  OperatorsDegraded: "At least one cluster operator is degraded. See 'oc get clusteroperators'.",
  NodesNotReady: "At least one node is not ready. See 'oc get nodes'.",
  NotObserved: "The service has not observed the cluster yet.",
  ObservationTooOld: "The service has not observed the cluster for more than 30 minutes.",
};
