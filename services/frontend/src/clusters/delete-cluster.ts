import { create, replace, unchanged } from "@keelson/database";
import {
  assertRequestAllowed,
  assertSubscriptionAllows,
  type ClusterDocument,
  newOperation,
  type OpenShiftCluster,
} from "@keelson/model";
import { conflict, retryConflicts, unexpectedResult } from "../commits/conflict-retry.ts";
import { paths } from "../http/messages/paths.ts";
import { checkPreconditions } from "../http/messages/preconditions.ts";
import type { RequestContext } from "../http/messages/request-context.ts";
import type { Response } from "../http/messages/response.ts";
import { knownVersion } from "../http/messages/version-rule.ts";
import type { Route } from "../http/route.ts";
import type { Service } from "../service/service.ts";
import { clusterKey, findCluster } from "./find-cluster.ts";
import { operationLimit, operationsThrottled } from "./operation-limit.ts";

/**
 * Marks a cluster for deletion and creates an operation. The response contains the URLs at which the caller can poll the
 * operation.
 */
export const deleteCluster: Route = {
  method: "DELETE",
  path: paths.cluster,
  versions: knownVersion,
  handle: (request, service) =>
    retryConflicts(service.clock, request.signal, () => attemptDelete(request, service)),
};

async function attemptDelete(request: RequestContext, service: Service): Promise<Response | typeof conflict> {
  const { database, location } = service;
  const { clusters, operations, subscriptions } = database.collections;
  const subscriptionId = request.parameter("subscriptionId");
  const [subscription, stored] = await Promise.all([
    subscriptions.find(subscriptionId, subscriptionId, request.signal),
    findCluster(request, database),
  ]);
  if (!stored) return { status: 204 };
  checkPreconditions(request, stored);
  assertSubscriptionAllows(subscription?.document.subscription, subscriptionId, "delete");
  assertRequestAllowed(stored.document.openShiftCluster, "delete");

  const cluster = inDeletion(stored.document.openShiftCluster);
  const operation = newOperation({
    subscriptionId,
    location,
    key: clusterKey(request),
    state: cluster.properties.provisioningState,
    startTime: request.receivedAt,
    correlationId: request.header("x-ms-correlation-request-id"),
  });
  const document: ClusterDocument = {
    ...stored.document,
    asyncOperationId: operation.id,
    correlationData: request.correlation(operation.id),
    openShiftCluster: cluster,
  };
  const result = await database.commit(
    subscriptionId,
    [
      replace(clusters, stored, document),
      create(operations, operation),
      ...(subscription ? [unchanged(subscriptions, subscription)] : []),
    ],
    { ...operationLimit(request, service), signal: request.signal },
  );
  if (result.kind === "queue-full") throw operationsThrottled(request, service);
  if (result.kind === "conflict") return conflict;
  if (result.kind !== "committed") throw unexpectedResult(result);
  const urls = request.operationUrls(location, operation.id);
  return {
    status: 202,
    headers: {
      location: urls.location,
      "azure-asyncoperation": urls.azureAsyncOperation,
      "retry-after": `${service.retryAfterSeconds}`,
    },
  };
}

function inDeletion(cluster: OpenShiftCluster): OpenShiftCluster {
  const { properties } = cluster;
  return {
    ...cluster,
    properties: {
      ...properties,
      provisioningState: "Deleting",
      lastProvisioningState: properties.provisioningState,
    },
  };
}
