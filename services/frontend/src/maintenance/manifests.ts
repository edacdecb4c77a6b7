import { randomUUID } from "node:crypto";
import { cancelMaintenance, planMaintenance } from "@keelson/admin-actions";
import { CloudError } from "@keelson/arm";
import { create, remove, replace, type Stored } from "@keelson/database";
import {
  type ClusterDocument,
  cancelManifest,
  externalManifest,
  isManifestOf,
  type MaintenanceManifestDocument,
  parseManifestRequest,
  registeredTasks,
  type ServiceDatabase,
} from "@keelson/model";
import { acceptNamedRequest, admitChange, requestHeader } from "../changes/admit-change.ts";
import { clusterKey, clusterNotFound, findCluster } from "../clusters/find-cluster.ts";
import { conflict, retryConflicts, unexpectedResult } from "../commits/conflict-retry.ts";
import { paths } from "../http/messages/paths.ts";
import type { RequestContext } from "../http/messages/request-context.ts";
import { uncheckedVersion } from "../http/messages/version-rule.ts";
import { limitOf, pageOf } from "../http/paging.ts";
import type { Route } from "../http/route.ts";

/** Route that returns one maintenance manifest with its state. */
export const getOneManifest: Route = {
  method: "GET",
  path: paths.manifest,
  versions: uncheckedVersion,
  async handle(request, { database }) {
    const cluster = await clusterToMaintain(request, database);
    const { document } = await getManifest(request, database, cluster.document);
    return { status: 200, body: externalManifest(document, "one cluster") };
  },
};

/** Lists the maintenance manifests of a cluster, ordered by due time. Completed manifests are included. */
export const listManifests: Route = {
  method: "GET",
  path: paths.manifests,
  versions: uncheckedVersion,
  async handle(request, service) {
    const cluster = (await clusterToMaintain(request, service.database)).document;
    const query = { partitionKey: cluster.key, orderBy: "runAfter", limit: limitOf(request) };
    const { manifests } = service.database.collections;
    return pageOf(
      request,
      service,
      async (position) => {
        const page = await manifests.list({ ...query, ...position }, request.signal);
        return { ...page, items: page.items.filter(({ document }) => isManifestOf(cluster, document)) };
      },
      (document) => externalManifest(document, "one cluster"),
    );
  },
};

/** Lists due maintenance manifests that wait for an actuator, over all clusters. The manifest that waits longest is first. */
export const listQueuedManifests: Route = {
  method: "GET",
  path: paths.queuedManifests,
  versions: uncheckedVersion,
  handle(request, service) {
    const { manifests } = service.database.collections;
    const query = { where: { state: "Pending" }, orderBy: "runAfter", limit: limitOf(request) };
    const nowSeconds = service.clock.now().getTime() / 1000;
    return pageOf(
      request,
      service,
      async (position) => {
        const { items, continuation } = await manifests.list({ ...query, ...position }, request.signal);
        const due = items.filter(({ document }) => document.maintenanceManifest.runAfter <= nowSeconds);
        // Items are ordered by time, so all items after the first item in the future are also in the future.
        const isLast = due.length < items.length || continuation === undefined;
        return { items: due, ...(isLast ? {} : { continuation }) };
      },
      (document) => externalManifest(document, "many clusters"),
    );
  },
};

/**
 * Schedules a maintenance task for a cluster. Every call creates a new manifest. If actuators are registered and none of them can
 * execute the task, the task is rejected. If no actuator is registered, every task is accepted, because an unregistered actuator
 * of an earlier release may execute it.
 */
export const putManifest: Route = {
  method: "PUT",
  path: paths.manifests,
  versions: uncheckedVersion,
  async handle(request, service) {
    const { database, clock } = service;
    const cluster = (await clusterToMaintain(request, database)).document;
    const { id, key } = cluster;
    const maintenanceManifest = request.read((body) => parseManifestRequest(body, clock.now()));
    await assertRegistered(maintenanceManifest.maintenanceTaskID, database, request.signal);
    await admitChange(planMaintenance, { manifest: request.json() }, cluster, {
      requestContext: request,
      service,
    });
    const document: MaintenanceManifestDocument = {
      id: randomUUID(),
      partitionKey: key,
      clusterResourceID: key,
      clusterDocumentId: id,
      maintenanceManifest,
    };
    const write = create(database.collections.manifests, document);
    const result = await database.commit(key, [write], { signal: request.signal });
    if (result.kind !== "committed") throw unexpectedResult(result);
    return { status: 201, body: externalManifest(document, "one cluster") };
  },
};

/**
 * Deletes a maintenance manifest, even if its cluster is already deleted. An actuator that executes the manifest loses its lease
 * and stops.
 */
export const deleteManifest: Route = {
  method: "DELETE",
  path: paths.manifest,
  versions: uncheckedVersion,
  handle: (request, { database, clock }) =>
    retryConflicts(clock, request.signal, async () => {
      const stored = await getManifest(request, database);
      const write = remove(database.collections.manifests, stored);
      const { partitionKey } = stored.document;
      const result = await database.commit(partitionKey, [write], { signal: request.signal });
      if (result.kind === "conflict") return conflict;
      if (result.kind !== "committed") throw unexpectedResult(result);
      return { status: 200, body: {} };
    }),
};

/**
 * Cancels a task that has not started. If an actuator starts the task at the same time, only one of the two writes succeeds. Each
 * write fails if the manifest has changed since it was read.
 */
export const cancelOneManifest: Route = {
  method: "POST",
  path: paths.cancelManifest,
  versions: uncheckedVersion,
  async handle(request, service) {
    const { database, clock } = service;
    const cluster = await clusterToMaintain(request, database);
    if (request.header(requestHeader) !== undefined) {
      const parameters = { manifestId: request.parameter("manifestId") };
      const deps = { requestContext: request, service };
      await acceptNamedRequest(cancelMaintenance, parameters, cluster.document, deps);
    }
    return retryConflicts(clock, request.signal, async () => {
      const stored = await getManifest(request, database, cluster.document);
      const document = cancelManifest(stored.document);
      const write = replace(database.collections.manifests, stored, document);
      const { partitionKey } = document;
      const result = await database.commit(partitionKey, [write], { signal: request.signal });
      if (result.kind === "conflict") return conflict;
      if (result.kind !== "committed") throw unexpectedResult(result);
      return { status: 200, body: externalManifest(document, "one cluster") };
    });
  },
};

/**
 * Checks that a registered actuator can execute the task.
 * @throws CloudError InvalidParameter
 */
async function assertRegistered(task: string, database: ServiceDatabase, signal: AbortSignal): Promise<void> {
  const tasks = await registeredTasks(database, signal);
  if (!tasks || tasks.has(task)) return;
  throw new CloudError("InvalidParameter", "No actuator has registered this task ID", {
    target: "maintenanceTaskID",
  });
}

/**
 * Returns the cluster in the path.
 * @throws CloudError ResourceNotFound; NotFound if the cluster is being deleted
 */
async function clusterToMaintain(
  request: RequestContext,
  database: ServiceDatabase,
): Promise<Stored<ClusterDocument>> {
  const stored = await findCluster(request, database);
  if (!stored) throw clusterNotFound(request);
  if (stored.document.openShiftCluster.properties.provisioningState === "Deleting") {
    throw new CloudError("NotFound", "cluster being deleted");
  }
  return stored;
}

/**
 * Returns the maintenance manifest that the request's path names. If `cluster` is set, the manifest must belong to this cluster
 * and not to an earlier cluster with the same name.
 * @throws CloudError NotFound
 */
async function getManifest(
  request: RequestContext,
  database: ServiceDatabase,
  cluster?: ClusterDocument,
): Promise<Stored<MaintenanceManifestDocument>> {
  const id = request.parameter("manifestId");
  const stored = await database.collections.manifests.find(clusterKey(request), id, request.signal);
  if (!stored || (cluster && !isManifestOf(cluster, stored.document)))
    throw new CloudError("NotFound", `manifest not found: the cluster has no manifest '${id}'`);
  return stored;
}
