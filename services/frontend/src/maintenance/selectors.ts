import { CloudError } from "@keelson/arm";
import { selectorsOf } from "@keelson/model";
import { clusterNotFound, findCluster } from "../clusters/find-cluster.ts";
import { paths } from "../http/messages/paths.ts";
import { uncheckedVersion } from "../http/messages/version-rule.ts";
import type { Route } from "../http/route.ts";

/** Returns the values of a cluster with which maintenance schedules compare their selectors. */
export const maintenanceSelectors: Route = {
  method: "GET",
  path: paths.maintenanceSelectors,
  versions: uncheckedVersion,
  async handle(request, { database, domain }) {
    const subscriptionId = request.parameter("subscriptionId");
    const [subscription, stored] = await Promise.all([
      database.collections.subscriptions.find(subscriptionId, subscriptionId, request.signal),
      findCluster(request, database),
    ]);
    if (!stored) throw clusterNotFound(request);
    if (!subscription) {
      throw new CloudError("ResourceNotFound", `The subscription ID '${subscriptionId}' was not found.`);
    }
    return { status: 200, body: selectorsOf(stored.document, subscription.document.subscription, domain) };
  },
};
