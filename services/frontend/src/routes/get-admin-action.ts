import { CloudError } from "@keelson/arm";
import { actionView } from "../action-view.ts";
import { clusterKey } from "../found-cluster.ts";
import type { Route } from "../route.ts";
import { uncheckedVersion } from "../version-rule.ts";
import { paths } from "./paths.ts";

/** How far an administrator's action is, or how it ended; for as long as it is kept, also when the cluster is gone. */
export const getAdminAction: Route = {
  method: "GET",
  path: paths.clusterAction,
  versions: uncheckedVersion,
  authorization: "caller",
  async handle(exchange, { database, retryAfterSeconds }) {
    const id = exchange.parameter("actionId");
    const partitionKey = exchange.parameter("subscriptionId");
    const stored = await database.collections.adminActions.find(partitionKey, id, exchange.signal);
    if (stored?.document.openShiftClusterKey !== clusterKey(exchange)) {
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
