import { CloudError } from "@keelson/arm";
import type { AdminActionDocument } from "@keelson/model";
import { clusterKey, clusterNotFound, findCluster } from "../clusters/find-cluster.ts";
import { paths } from "../http/messages/paths.ts";
import { uncheckedVersion } from "../http/messages/version-rule.ts";
import { pageOf } from "../http/paging.ts";
import type { Route } from "../http/route.ts";
import { recordOrFault } from "./running/action-request.ts";

const limit = 10;

/** Lists administrators' actions on a cluster, newest first. The cluster may be deleted. */
export const listAdminActions: Route = {
  method: "GET",
  path: paths.clusterActions,
  versions: uncheckedVersion,
  handle(request, service) {
    const { database } = service;
    const { adminActions } = database.collections;
    const query = {
      partitionKey: request.parameter("subscriptionId"),
      where: { openShiftClusterKey: clusterKey(request) },
      orderBy: "newestFirst",
      limit,
    };
    const read = async (position: { readonly continuation?: string }) => {
      const page = await adminActions.list({ ...query, ...position }, request.signal);
      if (page.items.length === 0 && !(await findCluster(request, database))) throw clusterNotFound(request);
      return page;
    };
    return pageOf(request, service, read, actionView);
  },
};

/**
 * Returns the progress or the result of an administrator's action. The action remains available after its cluster is deleted,
 * until its document expires.
 */
export const getAdminAction: Route = {
  method: "GET",
  path: paths.clusterAction,
  versions: uncheckedVersion,
  async handle(request, { database, retryAfterSeconds }) {
    const id = request.parameter("actionId");
    const partitionKey = request.parameter("subscriptionId");
    const stored = await database.collections.adminActions.find(partitionKey, id, request.signal);
    if (stored?.document.openShiftClusterKey !== clusterKey(request)) {
      throw new CloudError("NotFound", `Action '${id}' was not found on this cluster.`);
    }
    const running = stored.document.state === "Running";
    return {
      status: 200,
      body: actionView(stored.document),
      ...(running ? { headers: { "retry-after": `${retryAfterSeconds}` } } : {}),
    };
  },
};

/** Returns an action in the admin API format. */
export function actionView(document: AdminActionDocument): object {
  const { id, action, caller, reason, correlationId, parameters, state, startedAt, endedAt } = document;
  const { progress, error, result, recordError } = recordOrFault(document);
  return {
    id,
    action,
    caller,
    reason,
    correlationId,
    parameters,
    state,
    startedAt,
    endedAt,
    progress,
    error,
    result,
    recordError,
  };
}
