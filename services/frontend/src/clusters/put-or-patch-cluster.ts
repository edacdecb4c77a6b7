import { randomInt, randomUUID } from "node:crypto";
import { isTerminal, overlaySystemData, providerNamespace } from "@keelson/arm";
import { type CommitResult, create, replace, type Stored, unchanged } from "@keelson/database";
import {
  applyClusterRequest,
  assertRequestAllowed,
  assertSubscriptionAllows,
  type ClusterDocument,
  clusterKeys,
  newOperation,
  type OpenShiftCluster,
  type OperationDocument,
  type SubscriptionDocument,
  throwViolations,
  toExternal,
} from "@keelson/model";
import { conflict, retryConflicts, unexpectedResult } from "../commits/conflict-retry.ts";
import { paths } from "../http/messages/paths.ts";
import { checkPreconditions, etagHeader } from "../http/messages/preconditions.ts";
import type { RequestContext } from "../http/messages/request-context.ts";
import type { Response } from "../http/messages/response.ts";
import { knownVersion } from "../http/messages/version-rule.ts";
import type { Route } from "../http/route.ts";
import { requiredOperators } from "../role-sets/role-sets.ts";
import { asStored } from "../service/cluster-status-cache.ts";
import { assertIdentitiesOffered, withIdentityHeaders } from "../service/managed-identities.ts";
import type { Service } from "../service/service.ts";
import { refuseDuplicates, startDuplicateLookup } from "./duplicate-cluster.ts";
import { clusterKey, clusterNotFound, findCluster } from "./find-cluster.ts";
import { operationLimit, operationsThrottled } from "./operation-limit.ts";

export const putCluster: Route = writeRoute("PUT");
export const patchCluster: Route = writeRoute("PATCH");

/**
 * Returns the route that creates or updates a cluster. The route stores the desired state, and an operation for a worker. An
 * administrator's change that needs no worker has no operation. All documents are written in one commit. The commit fails if the
 * subscription has changed since the route checked it.
 */
function writeRoute(method: "PUT" | "PATCH"): Route {
  return {
    method,
    path: paths.cluster,
    versions: knownVersion,
    handle(request, service) {
      request.bodyBytes();
      const checkAzure = checkAzureOnce(request, service);
      let lookup = method === "PUT" ? startDuplicateLookup(request, service.database) : undefined;
      return retryConflicts(service.clock, request.signal, async () => {
        const early = lookup;
        lookup = undefined;
        const state = await readState(request, service);
        refuseForbidden(method, request, state);
        const wanted = await wantedCluster(method, request, service, state);
        const { document, operation } = documentsFor(wanted.cluster, request, service, state);
        if (!state.stored && state.subscription) {
          await refuseDuplicates(document, service.database, request.signal, early);
          await checkAzure(wanted.cluster, state.subscription.document);
        }
        const result = await commitAll(document, operation, request, service, state);
        if (result.kind === "committed") {
          const etag = result.etags[0];
          return response(wanted.shown, etag, operation, request, service, state.stored !== undefined);
        }
        if (result.kind === "queue-full") throw operationsThrottled(request, service);
        // The duplicate may be this cluster itself, if an identical concurrent request has created it. In this case, there is no
        // error, and the write is retried.
        if (result.kind === "duplicate") await refuseDuplicates(document, service.database, request.signal);
        else if (result.kind !== "conflict") throw unexpectedResult(result);
        return conflict;
      });
    },
  };
}

/** Documents that a write request reads before its commit. */
interface State {
  readonly subscription: Stored<SubscriptionDocument> | undefined;
  readonly stored: Stored<ClusterDocument> | undefined;
}

async function readState(request: RequestContext, { database }: Service): Promise<State> {
  const subscriptionId = request.parameter("subscriptionId");
  const [subscription, stored] = await Promise.all([
    database.collections.subscriptions.find(subscriptionId, subscriptionId, request.signal),
    findCluster(request, database),
  ]);
  return { subscription, stored };
}

/**
 * Checks that the subscription, the preconditions and the cluster's state allow the write.
 * @throws CloudError if one of them forbids the write
 */
function refuseForbidden(
  method: "PUT" | "PATCH",
  request: RequestContext,
  { subscription, stored }: State,
): void {
  const subscriptionId = request.parameter("subscriptionId");
  assertSubscriptionAllows(subscription?.document.subscription, subscriptionId, "write");
  checkPreconditions(request, stored);
  if (stored) assertRequestAllowed(stored.document.openShiftCluster, method === "PUT" ? "replace" : "write");
  else if (method === "PATCH") throw clusterNotFound(request);
}

/**
 * Converts the body from the request's API version, validates it, and adds values from request headers. Returns the cluster to
 * store and the cluster for the response.
 * @throws CloudError
 */
async function wantedCluster(
  method: "PUT" | "PATCH",
  request: RequestContext,
  service: Service,
  { stored }: State,
): Promise<{ readonly cluster: OpenShiftCluster; readonly shown: OpenShiftCluster }> {
  const [versions, roleSets] = await Promise.all([
    service.catalogue.versions(request.signal),
    service.catalogue.roleSets(request.signal),
  ]);
  const current = stored && (await service.clusterStatus.get(stored.document, request.signal));
  const requested = request.read((body) =>
    applyClusterRequest({
      version: request.version,
      method,
      current,
      body,
      url: resourceOfUrl(request),
      subscriptionId: request.parameter("subscriptionId"),
      location: service.location,
      domain: service.domain,
      defaultVersion: versions.defaultVersion,
      isVersionEnabled: (version) => versions.names.includes(version),
      roleSets: roleSets.map(requiredOperators),
      newCluster: { createdAt: request.receivedAt.toISOString(), createdBy: service.buildId },
    }),
  );
  if (!stored) assertIdentitiesOffered(requested, service.managedIdentities);
  const shown = withSystemData(withIdentityHeaders(requested, request, service.managedIdentities), request);
  return { shown, cluster: current ? asStored(shown, current, stored.document.openShiftCluster) : shown };
}

/** Returns ID, name and type in the caller's spelling. A new cluster keeps this spelling permanently. */
function resourceOfUrl(request: RequestContext): { id: string; name: string; type: string } {
  const segments = request.originalSegments();
  const [namespace = providerNamespace, type = "", name = ""] = segments.slice(-3);
  return { id: `/${segments.join("/")}`, name, type: `${namespace}/${type}` };
}

function withSystemData(cluster: OpenShiftCluster, request: RequestContext): OpenShiftCluster {
  const systemData = overlaySystemData(cluster.systemData, request.systemData());
  return systemData ? { ...cluster, systemData } : cluster;
}

/** Number of buckets that distribute clusters among monitors. */
const buckets = 256;

/**
 * Returns the documents to write. A change that needs no worker, for example an administrator's maintenance signal, has no
 * operation.
 */
function documentsFor(
  cluster: OpenShiftCluster,
  request: RequestContext,
  { location }: Service,
  { stored }: State,
): { readonly document: ClusterDocument; readonly operation: OperationDocument | undefined } {
  const subscriptionId = request.parameter("subscriptionId");
  const key = clusterKey(request);
  const operation = isTerminal(cluster.properties.provisioningState)
    ? undefined
    : newOperation({
        subscriptionId,
        location,
        key,
        state: cluster.properties.provisioningState,
        startTime: request.receivedAt,
        correlationId: request.header("x-ms-correlation-request-id"),
      });
  const document: ClusterDocument = {
    ...(stored?.document ?? { id: randomUUID(), partitionKey: subscriptionId, bucket: randomInt(buckets) }),
    ...clusterKeys(cluster),
    key,
    ...(operation
      ? { asyncOperationId: operation.id, correlationData: request.correlation(operation.id) }
      : {}),
    openShiftCluster: cluster,
  };
  return { document, operation };
}

type CheckAzure = (cluster: OpenShiftCluster, subscription: SubscriptionDocument) => Promise<void>;

/**
 * Returns a check that rejects a new cluster if Azure cannot create it, for example because of a quota. The check queries Azure
 * only once, even if the commit is retried.
 */
function checkAzureOnce(request: RequestContext, { azureChecks }: Service): CheckAzure {
  let checked = false;
  return async (cluster, subscription) => {
    if (checked) return;
    const correlationId = request.header("x-ms-correlation-request-id");
    const creation = { cluster, subscription, correlationId };
    throwViolations(await azureChecks.find(creation, request.signal));
    checked = true;
  };
}

/** Commits all documents. If the subscription has changed since it was read, the result is a conflict. */
function commitAll(
  document: ClusterDocument,
  operation: OperationDocument | undefined,
  request: RequestContext,
  service: Service,
  { subscription, stored }: State,
): Promise<CommitResult> {
  const { database } = service;
  const { clusters, operations, subscriptions } = database.collections;
  return database.commit(
    document.partitionKey,
    [
      stored ? replace(clusters, stored, document) : create(clusters, document),
      ...(operation ? [create(operations, operation)] : []),
      ...(subscription ? [unchanged(subscriptions, subscription)] : []),
    ],
    { ...(operation ? operationLimit(request, service) : {}), signal: request.signal },
  );
}

function response(
  shown: OpenShiftCluster,
  etag: string | undefined,
  operation: OperationDocument | undefined,
  request: RequestContext,
  { location, retryAfterSeconds }: Service,
  existed: boolean,
): Response {
  const following = operation && {
    "azure-asyncoperation": request.operationUrls(location, operation.id).azureAsyncOperation,
    "retry-after": `${retryAfterSeconds}`,
  };
  return {
    status: existed ? 200 : 201,
    headers: { ...etagHeader(etag), ...following },
    body: toExternal(request.version, shown, "write"),
  };
}
