import { adminActions } from "@keelson/admin-actions";
import { isTerminal } from "@keelson/arm";
import { maintenanceTaskGraphs } from "@keelson/cluster";
import { allDocuments } from "@keelson/database";
import {
  type AdminActionDocument,
  type AdminActionState,
  type ClusterDocument,
  isBoundTo,
  isManifestOf,
  type MaintenanceManifest,
  type MaintenanceManifestDocument,
  type OperationDocument,
  type ServiceDatabase,
} from "@keelson/model";
import { clusterNotFound, findCluster } from "../clusters/find-cluster.ts";
import { paths } from "../http/messages/paths.ts";
import { knownVersion } from "../http/messages/version-rule.ts";
import type { Route } from "../http/route.ts";

/** Event that the service caused on a cluster. It does not identify a person, because customers read it. */
interface ServiceEvent {
  readonly id: string;
  readonly eventType: "PlannedMaintenance" | "AdministratorAction" | "AdministratorUpdate";
  readonly title: string;
  readonly status: "Scheduled" | "InProgress" | "Succeeded" | "Failed" | "Cancelled";
  /** Start time (RFC 3339). For planned maintenance, it is the earliest start time. */
  readonly startTime: string;
  readonly endTime?: string | undefined;
  /** Latest start of planned maintenance. */
  readonly latestStartTime?: string;
}

/** Maximum number of events of each type. */
const limit = 100;

/** Maximum number of manifests that one request reads. The database keeps manifests as long as their cluster exists. */
const maxManifests = 1_000;

/** Returns planned maintenance and administrators' actions on a cluster, newest first. */
export const listServiceEvents: Route = {
  method: "GET",
  path: paths.serviceEvents,
  versions: knownVersion,
  async handle(request, { database }) {
    const cluster = (await findCluster(request, database))?.document;
    if (!cluster) throw clusterNotFound(request);
    const events = await Promise.all([
      maintenanceOf(cluster, database, request.signal),
      actionsOn(cluster, database, request.signal),
      updatesOf(cluster, database, request.signal),
    ]);
    const value = events.flat().toSorted((a, b) => Date.parse(b.startTime) - Date.parse(a.startTime));
    return { status: 200, body: { value } };
  },
};

/** Returns maintenance that is running or planned, and the newest completed maintenance. */
async function maintenanceOf(
  cluster: ClusterDocument,
  { collections: { manifests } }: ServiceDatabase,
  signal: AbortSignal,
): Promise<readonly ServiceEvent[]> {
  const query = { partitionKey: cluster.key, orderBy: "runAfter", limit };
  const active = await Promise.all(
    ["InProgress", "Pending"].map((state) => manifests.list({ ...query, where: { state } }, signal)),
  );
  const found: MaintenanceManifestDocument[] = [];
  let count = 0;
  for await (const { document } of allDocuments(manifests, signal, query)) {
    if (isManifestOf(cluster, document)) found.push(document);
    if (++count >= maxManifests) break;
  }
  const current = active.flatMap(({ items }) => items.map(({ document }) => document));
  const ofCluster = current.filter((document) => isManifestOf(cluster, document));
  const shown = new Map([...found.slice(-limit), ...ofCluster].map((document) => [document.id, document]));
  return [...shown.values()].map(maintenance);
}

const manifestStatus: Readonly<Record<MaintenanceManifest["state"], ServiceEvent["status"]>> = {
  Pending: "Scheduled",
  InProgress: "InProgress",
  Completed: "Succeeded",
  Failed: "Failed",
  RetriesExceeded: "Failed",
  TimedOut: "Failed",
  Cancelled: "Cancelled",
};

function maintenance({ id, maintenanceManifest }: MaintenanceManifestDocument): ServiceEvent {
  const { state, maintenanceTaskID, runAfter, runBefore } = maintenanceManifest;
  return {
    id,
    eventType: "PlannedMaintenance",
    title: maintenanceTaskGraphs.get(maintenanceTaskID)?.name ?? "maintenance",
    status: manifestStatus[state],
    startTime: new Date(runAfter * 1_000).toISOString(),
    latestStartTime: new Date(runBefore * 1_000).toISOString(),
  };
}

async function actionsOn(
  cluster: ClusterDocument,
  { collections }: ServiceDatabase,
  signal: AbortSignal,
): Promise<readonly ServiceEvent[]> {
  const where = { openShiftClusterKey: cluster.key };
  const query = { partitionKey: cluster.partitionKey, where, orderBy: "newestFirst", limit };
  const { items } = await collections.adminActions.list(query, signal);
  return items.flatMap(({ document }) =>
    isBoundTo(cluster, document.clusterDocumentId, document.startedAt) ? [action(document)] : [],
  );
}

const actionStatus: Readonly<Record<AdminActionState, ServiceEvent["status"]>> = {
  Running: "InProgress",
  Succeeded: "Succeeded",
  Failed: "Failed",
  Interrupted: "Failed",
};
const actionTitles = new Map(
  adminActions.flatMap(({ suffix, summary, mutating }) => (mutating ? [[suffix, summary] as const] : [])),
);

function action({ id, action: suffix, state, startedAt, endedAt }: AdminActionDocument): ServiceEvent {
  return {
    id,
    eventType: "AdministratorAction",
    title: actionTitles.get(suffix) ?? suffix,
    status: actionStatus[state],
    startTime: startedAt,
    endTime: endedAt,
  };
}

async function updatesOf(
  cluster: ClusterDocument,
  { collections: { operations } }: ServiceDatabase,
  signal: AbortSignal,
): Promise<readonly ServiceEvent[]> {
  const where = { openShiftClusterKey: cluster.key };
  const query = { partitionKey: cluster.partitionKey, where, orderBy: "newestFirst", limit };
  const { items } = await operations.list(query, signal);
  return items.flatMap(({ document }) => {
    const isOfCluster = document.asyncOperation.startTime >= cluster.openShiftCluster.properties.createdAt;
    const isAdministrative = document.kind === "AdminUpdating";
    return isOfCluster && isAdministrative ? [update(document)] : [];
  });
}

function update({ id, asyncOperation }: OperationDocument): ServiceEvent {
  const { status, startTime, endTime } = asyncOperation;
  return {
    id,
    eventType: "AdministratorUpdate",
    title: "update by the service",
    status: isTerminal(status) ? status : "InProgress",
    startTime,
    endTime,
  };
}
