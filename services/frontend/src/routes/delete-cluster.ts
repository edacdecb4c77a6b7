import { create, replace } from "@keelson/database";
import {
  assertRequestAllowed,
  assertSubscriptionAllows,
  type ClusterDocument,
  type OpenShiftCluster,
} from "@keelson/model";
import type { Answer } from "../answer.ts";
import { conflict, retryConflicts, unexpectedResult } from "../conflict-retry.ts";
import type { Exchange } from "../exchange.ts";
import { clusterKey, findCluster } from "../found-cluster.ts";
import { newOperation } from "../new-operation.ts";
import { checkPreconditions } from "../preconditions.ts";
import type { Route } from "../route.ts";
import type { Service } from "../service.ts";
import { knownVersion } from "../version-rule.ts";
import { paths } from "./paths.ts";

/** Records that a cluster is to go, and an operation by which its caller follows that. */
export const deleteCluster: Route = {
  method: "DELETE",
  path: paths.cluster,
  versions: knownVersion,
  authorization: "caller",
  handle: (exchange, service) =>
    retryConflicts(service.clock, exchange.signal, () => attemptDelete(exchange, service)),
};

async function attemptDelete(exchange: Exchange, service: Service): Promise<Answer | typeof conflict> {
  const { database, location } = service;
  const { clusters, operations, subscriptions } = database.collections;
  const subscriptionId = exchange.parameter("subscriptionId");
  const [subscription, stored] = await Promise.all([
    subscriptions.find(subscriptionId, subscriptionId, exchange.signal),
    findCluster(exchange, database),
  ]);
  if (!stored) return { status: 204 };
  checkPreconditions(exchange, stored);
  assertSubscriptionAllows(subscription?.document.subscription, subscriptionId, "delete");
  assertRequestAllowed(stored.document.openShiftCluster, "delete");

  const cluster = inDeletion(stored.document.openShiftCluster);
  const operation = newOperation({
    subscriptionId,
    location,
    key: clusterKey(exchange),
    cluster,
    startTime: exchange.receivedAt,
  });
  const document: ClusterDocument = {
    ...stored.document,
    asyncOperationId: operation.id,
    correlationData: exchange.correlation(operation.id),
    openShiftCluster: cluster,
  };
  const result = await database.commit(
    subscriptionId,
    [replace(clusters, stored, document), create(operations, operation)],
    { signal: exchange.signal },
  );
  if (result.kind === "conflict") return conflict;
  if (result.kind !== "committed") throw unexpectedResult(result);
  const urls = exchange.operationUrls(location, operation.id);
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
