import {
  assertRequestAllowed,
  assertSubscriptionAllows,
  type ClusterProperties,
  type ServiceDatabase,
} from "@keelson/model";
import { paths } from "../http/messages/paths.ts";
import type { RequestContext } from "../http/messages/request-context.ts";
import { versionWith } from "../http/messages/version-rule.ts";
import type { Route } from "../http/route.ts";
import { clusterNotFound, findCluster } from "./find-cluster.ts";

/**
 * Returns the properties of a cluster if its state allows requests for credentials. The request may have no body, but a body must
 * be JSON.
 */
async function clusterWithCredentials(
  request: RequestContext,
  database: ServiceDatabase,
  operation: "listCredentials" | "listAdminCredentials",
): Promise<ClusterProperties> {
  if (request.bodyBytes().length > 0) request.json();
  const subscriptionId = request.parameter("subscriptionId");
  const [subscription, stored] = await Promise.all([
    database.collections.subscriptions.find(subscriptionId, subscriptionId, request.signal),
    findCluster(request, database),
  ]);
  assertSubscriptionAllows(subscription?.document.subscription, subscriptionId, operation);
  if (!stored) throw clusterNotFound(request);
  assertRequestAllowed(stored.document.openShiftCluster, operation);
  return stored.document.openShiftCluster.properties;
}

export const listCredentials: Route = {
  method: "POST",
  path: paths.listCredentials,
  versions: versionWith("listCredentials"),
  async handle(request, { database }) {
    const { kubeadminPassword } = await clusterWithCredentials(request, database, "listCredentials");
    return {
      status: 200,
      body: { kubeadminUsername: "kubeadmin", kubeadminPassword: kubeadminPassword?.reveal() },
    };
  },
};

/** Route for credentials with the name that `listCredentials` had until January 2020. */
export const credentials: Route = {
  ...listCredentials,
  path: paths.credentials,
  versions: versionWith("credentials"),
};

/** Returns the customer's kubeconfig. The installer's kubeconfig is never returned, because it is valid for years. */
export const listAdminCredentials: Route = {
  method: "POST",
  path: paths.listAdminCredentials,
  versions: versionWith("listAdminCredentials"),
  async handle(request, { database }) {
    const { userAdminKubeconfig } = await clusterWithCredentials(request, database, "listAdminCredentials");
    const kubeconfig = userAdminKubeconfig && Buffer.from(userAdminKubeconfig.reveal()).toString("base64");
    return { status: 200, body: { kubeconfig } };
  },
};
