import { CloudError } from "@keelson/arm";
import { selectorsOf } from "@keelson/model";
import { clusterNotFound, findCluster } from "../found-cluster.ts";
import type { Route } from "../route.ts";
import { uncheckedVersion } from "../version-rule.ts";
import { paths } from "./paths.ts";

/** By what maintenance schedules may choose this cluster. */
export const maintenanceSelectors: Route = {
  method: "GET",
  path: paths.maintenanceSelectors,
  versions: uncheckedVersion,
  authorization: "caller",
  async handle(exchange, { database, domain }) {
    const subscriptionId = exchange.parameter("subscriptionId");
    const [subscription, stored] = await Promise.all([
      database.collections.subscriptions.find(subscriptionId, subscriptionId, exchange.signal),
      findCluster(exchange, database),
    ]);
    if (!stored) throw clusterNotFound(exchange);
    if (!subscription) {
      throw new CloudError("ResourceNotFound", `The subscription ID '${subscriptionId}' was not found.`);
    }
    return { status: 200, body: selectorsOf(stored.document, subscription.document.subscription, domain) };
  },
};
