import type { ClusterDocument, ServiceDatabase } from "@keelson/model";
import { portalErrors } from "../errors/portal-errors.ts";
import type { PortalContext } from "../http/portal-route.ts";

/** The resource ID of the cluster that a path names, lower case. */
export function clusterIdOf({ parameter }: PortalContext): string {
  const group = `/subscriptions/${parameter("subscription")}/resourcegroups/${parameter("resourcegroup")}`;
  return `${group}/providers/microsoft.redhatopenshift/openshiftclusters/${parameter("name")}`;
}

/** The cluster that a path names. @throws NotFound */
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
