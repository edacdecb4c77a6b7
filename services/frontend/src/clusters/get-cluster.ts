import { isTerminal } from "@keelson/arm";
import type { ClusterDocument } from "@keelson/model";
import { paths } from "../http/messages/paths.ts";
import { etagHeader } from "../http/messages/preconditions.ts";
import type { RequestContext } from "../http/messages/request-context.ts";
import { knownVersion } from "../http/messages/version-rule.ts";
import type { Route } from "../http/route.ts";
import { clusterText } from "./cluster-text.ts";
import { clusterNotFound, findCluster } from "./find-cluster.ts";

export const getCluster: Route = {
  method: "GET",
  path: paths.cluster,
  versions: knownVersion,
  async handle(request, { database, clusterStatus, location, retryAfterSeconds }) {
    const stored = await findCluster(request, database);
    if (!stored) throw clusterNotFound(request);
    return {
      status: 200,
      headers: {
        ...etagHeader(stored.etag),
        ...runningOperation(stored.document, request, location, retryAfterSeconds),
      },
      rendered: clusterText(request.version, await clusterStatus.get(stored.document, request.signal)),
    };
  },
};

/** Returns the URL of the running operation, so that clients that did not start the operation can follow it. */
function runningOperation(
  { asyncOperationId, openShiftCluster }: ClusterDocument,
  request: RequestContext,
  location: string,
  retryAfterSeconds: number,
): Readonly<Record<string, string>> {
  if (!asyncOperationId || isTerminal(openShiftCluster.properties.provisioningState)) return {};
  return {
    "azure-asyncoperation": request.operationUrls(location, asyncOperationId).azureAsyncOperation,
    "retry-after": `${retryAfterSeconds}`,
  };
}
