import { randomInt, randomUUID } from "node:crypto";
import { isTerminal, overlaySystemData, providerNamespace } from "@keelson/arm";
import { type CommitResult, create, replace, type Stored, unchanged } from "@keelson/database";
import {
  applyClusterRequest,
  assertRequestAllowed,
  assertSubscriptionAllows,
  type ClusterDocument,
  clusterKeys,
  type OpenShiftCluster,
  type OperationDocument,
  type SubscriptionDocument,
  throwViolations,
  toExternal,
} from "@keelson/model";
import type { Answer } from "./answer.ts";
import { conflict, retryConflicts, unexpectedResult } from "./conflict-retry.ts";
import { refuseDuplicates } from "./duplicate-error.ts";
import type { Exchange } from "./exchange.ts";
import { clusterKey, clusterNotFound, findCluster } from "./found-cluster.ts";
import { asStored } from "./live-clusters.ts";
import { assertIdentitiesOffered, withIdentityHeaders } from "./managed-identities.ts";
import { newOperation } from "./new-operation.ts";
import { checkPreconditions, etagHeader } from "./preconditions.ts";
import { requiredOperators } from "./required-operators.ts";
import type { Service } from "./service.ts";

type Method = "PUT" | "PATCH";

/** Shares clusters out among monitors: 0 to 255. */
const buckets = 256;

/**
 * Creates or updates a cluster: records what is wanted and an operation that a worker will carry out.
 * An administrator may also change what needs no work.
 * Both documents are written together or not at all, so no operation is left without its cluster, and only while the
 * subscription is as it was when it allowed them.
 */
export async function writeCluster(method: Method, exchange: Exchange, service: Service): Promise<Answer> {
  exchange.bodyBytes();
  const askAzure = azureAsker(exchange, service);
  return retryConflicts(service.clock, exchange.signal, () =>
    attemptWrite(method, exchange, service, askAzure),
  );
}

type AskAzure = (cluster: OpenShiftCluster, subscription: SubscriptionDocument) => Promise<void>;

/** Refuses a new cluster that Azure has no room for. Asks once, however often the database is tried. */
function azureAsker(exchange: Exchange, { azureChecks }: Service): AskAzure {
  let asked = false;
  return async (cluster, subscription) => {
    if (asked) return;
    const correlationId = exchange.header("x-ms-correlation-request-id");
    const creation = { cluster, subscription, ...(correlationId ? { correlationId } : {}) };
    throwViolations(await azureChecks.find(creation, exchange.signal));
    asked = true;
  };
}

async function attemptWrite(
  method: Method,
  exchange: Exchange,
  service: Service,
  askAzure: AskAzure,
): Promise<Answer | typeof conflict> {
  const { database, location } = service;
  const subscriptionId = exchange.parameter("subscriptionId");
  const [subscription, stored, versions, roleSets] = await Promise.all([
    database.collections.subscriptions.find(subscriptionId, subscriptionId, exchange.signal),
    findCluster(exchange, database),
    service.catalogue.versions(exchange.signal),
    service.catalogue.roleSets(exchange.signal),
  ]);
  assertSubscriptionAllows(subscription?.document.subscription, subscriptionId, "write");
  checkPreconditions(exchange, stored);
  if (stored) assertRequestAllowed(stored.document.openShiftCluster, method === "PUT" ? "replace" : "write");
  else if (method === "PATCH") throw clusterNotFound(exchange);

  const live = stored && (await service.live.look(stored.document, exchange.signal));
  const requested = exchange.read((body) =>
    applyClusterRequest({
      version: exchange.version,
      method,
      ...(live ? { current: live } : {}),
      body,
      url: resourceOfUrl(exchange),
      subscriptionId,
      location,
      domain: service.domain,
      ...(versions.defaultVersion ? { defaultVersion: versions.defaultVersion } : {}),
      isVersionEnabled: (version) => versions.names.includes(version),
      roleSets: roleSets.map(requiredOperators),
      newCluster: { createdAt: exchange.receivedAt.toISOString(), createdBy: service.buildId },
    }),
  );
  if (!stored) assertIdentitiesOffered(requested, service.managedIdentities);
  const identified = withIdentityHeaders(requested, exchange, service.managedIdentities);
  const shown = withSystemData(identified, exchange);
  const cluster = live ? asStored(shown, live, stored.document.openShiftCluster) : shown;
  const key = clusterKey(exchange);
  // What leaves the cluster at rest, as an administrator's word on maintenance does, is done once it is written.
  const operation = isTerminal(cluster.properties.provisioningState)
    ? undefined
    : newOperation({ subscriptionId, location, key, cluster, startTime: exchange.receivedAt });
  const document: ClusterDocument = {
    ...(stored?.document ?? {
      id: randomUUID(),
      partitionKey: subscriptionId,
      bucket: randomInt(buckets),
    }),
    ...clusterKeys(cluster),
    key,
    ...(operation
      ? { asyncOperationId: operation.id, correlationData: exchange.correlation(operation.id) }
      : {}),
    openShiftCluster: cluster,
  };
  if (!stored && subscription) {
    await refuseDuplicates(document, database, exchange.signal);
    await askAzure(cluster, subscription.document);
  }
  const result = await commitAll({ service, exchange, subscription, stored, document, operation });
  switch (result.kind) {
    case "committed":
      return {
        status: stored ? 200 : 201,
        headers: {
          ...etagHeader(result.etags[0]),
          ...(operation
            ? {
                "azure-asyncoperation": exchange.operationUrls(location, operation.id).azureAsyncOperation,
                "retry-after": `${service.retryAfterSeconds}`,
              }
            : {}),
        },
        body: toExternal(exchange.version, shown, "write"),
      };
    case "conflict":
      return conflict;
    case "duplicate":
      // Nobody, when the other cluster is this very one, created by a request at the same time.
      await refuseDuplicates(document, database, exchange.signal);
      return conflict;
    default:
      throw unexpectedResult(result);
  }
}

/** What is announced of the subscription after it was read makes it a conflict. */
function commitAll(write: {
  service: Service;
  exchange: Exchange;
  subscription: Stored<SubscriptionDocument> | undefined;
  stored: Stored<ClusterDocument> | undefined;
  document: ClusterDocument;
  operation: OperationDocument | undefined;
}): Promise<CommitResult> {
  const { service, exchange, subscription, stored, document, operation } = write;
  const { clusters, operations, subscriptions } = service.database.collections;
  return service.database.commit(
    document.partitionKey,
    [
      stored ? replace(clusters, stored, document) : create(clusters, document),
      ...(operation ? [create(operations, operation)] : []),
      ...(subscription ? [unchanged(subscriptions, subscription)] : []),
    ],
    { signal: exchange.signal },
  );
}

/** ID, name and type in the case in which the caller typed them; a new cluster keeps it for good. */
function resourceOfUrl(exchange: Exchange): { id: string; name: string; type: string } {
  const segments = exchange.originalSegments();
  const [namespace = providerNamespace, type = "", name = ""] = segments.slice(-3);
  return { id: `/${segments.join("/")}`, name, type: `${namespace}/${type}` };
}

function withSystemData(cluster: OpenShiftCluster, exchange: Exchange): OpenShiftCluster {
  const systemData = overlaySystemData(cluster.systemData, exchange.systemData());
  return systemData ? { ...cluster, systemData } : cluster;
}
