import {
  assertRequestAllowed,
  assertSubscriptionAllows,
  type ClusterProperties,
  type ServiceDatabase,
} from "@keelson/model";
import type { Exchange } from "./exchange.ts";
import { clusterNotFound, findCluster } from "./found-cluster.ts";

/** The properties of a cluster whose credentials may be handed out now. A body is optional but must be JSON. */
export async function clusterWithCredentials(
  exchange: Exchange,
  database: ServiceDatabase,
  operation: "listCredentials" | "listAdminCredentials",
): Promise<ClusterProperties> {
  if (exchange.bodyBytes().length > 0) exchange.json();
  const subscriptionId = exchange.parameter("subscriptionId");
  const [subscription, stored] = await Promise.all([
    database.collections.subscriptions.find(subscriptionId, subscriptionId, exchange.signal),
    findCluster(exchange, database),
  ]);
  assertSubscriptionAllows(subscription?.document.subscription, subscriptionId, operation);
  if (!stored) throw clusterNotFound(exchange);
  assertRequestAllowed(stored.document.openShiftCluster, operation);
  return stored.document.openShiftCluster.properties;
}
