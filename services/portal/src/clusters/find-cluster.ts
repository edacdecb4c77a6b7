import type { ClusterDocument, ServiceDatabase } from "@keelson/model";
import { portalErrors } from "../errors/portal-errors.ts";
import type { PortalContext } from "../http/portal-route.ts";

/** Returns the lower-case resource ID of the cluster in the request's path. */
export function clusterIdOf({ parameter }: PortalContext): string {
  const group = `/subscriptions/${parameter("subscription")}/resourcegroups/${parameter("resourcegroup")}`;
  return `${group}/providers/microsoft.redhatopenshift/openshiftclusters/${parameter("name")}`;
}

/**
 * Returns the cluster in the request's path.
 * @throws NotFound
 */
export async function getCluster(
  database: ServiceDatabase,
  context: PortalContext,
): Promise<ClusterDocument> {
  const { clusters } = database.collections;
  const subscription = context.parameter("subscription");
  const stored = await clusters.findBy(subscription, "key", clusterIdOf(context), context.signal);
  if (stored) return stored.document;
  throw portalErrors.NotFound("Cluster not found");
}
