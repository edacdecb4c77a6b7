import type { AdminActionDocument, ServiceDatabase } from "@keelson/model";
import type { ActionView } from "@keelson/portal-api";

const mostActions = 200;

/**
 * Reads administrators' actions on a cluster, newest first. The output is omitted, because only the caller of an action may read
 * it.
 */
export async function readActions(
  database: ServiceDatabase,
  partitionKey: string,
  cluster: string,
  signal: AbortSignal,
): Promise<readonly ActionView[]> {
  const where = { openShiftClusterKey: cluster };
  const query = { partitionKey, where, orderBy: "newestFirst", limit: mostActions };
  const { items } = await database.collections.adminActions.list(query, signal);
  return items.map(({ document }) => actionView(document));
}

function actionView(document: AdminActionDocument): ActionView {
  const { id, action, caller, callerName, correlationId, parameters, state, startedAt, endedAt } = document;
  return {
    id,
    action,
    caller: callerName ?? caller ?? "",
    state,
    startedAt,
    ...(endedAt === undefined ? {} : { endedAt }),
    parameters: { ...parameters },
    ...(correlationId === undefined ? {} : { correlationId }),
  };
}
