import { create, replace, type Stored } from "@keelson/database";
import {
  cancelManifest,
  type MaintenanceManifestDocument,
  type MaintenanceScheduleDocument,
  matchSelectors,
  type ServiceDatabase,
  withManifest,
} from "@keelson/model";
import type { CachedCluster } from "./cluster-cache.ts";
import { begunTimes, type Changes, manifestId, planManifests, planOf } from "./plan.ts";

/** Status text of manifests cancelled by a scheduler. Schedulers restore only manifests with this text. */
export const cancelledText = "Cancelled by Scheduler as did not match current schedule settings";

/** Time window in seconds after `runAfter` in which a scheduled manifest may start. */
const runForSeconds = 3600;
const mostPresent = 1_000;

export interface Reconciled {
  readonly created: number;
  readonly cancelled: number;
  /** Reason why the schedule could not be applied. */
  readonly problem?: string;
}

/**
 * Reconciles a cluster's future manifests with a schedule. If the schedule no longer selects the cluster, the cluster's manifests
 * for this schedule are cancelled. A disabled schedule changes nothing.
 */
export async function reconcile(
  database: ServiceDatabase,
  { id: scheduleId, maintenanceSchedule }: MaintenanceScheduleDocument,
  { key, documentId, selectors }: CachedCluster,
  now: Date,
  signal: AbortSignal,
): Promise<Reconciled> {
  if (maintenanceSchedule.state !== "Enabled") return { created: 0, cancelled: 0 };
  const { matches, problem } = matchSelectors(maintenanceSchedule.selectors, selectors);
  if (problem !== undefined) return { created: 0, cancelled: 0, problem };
  const { manifests } = database.collections;
  const { items } = await manifests.list(
    {
      partitionKey: key,
      where: { createdBySchedule: scheduleId, state: "Pending" },
      orderBy: "runAfter",
      limit: mostPresent,
    },
    signal,
  );
  const coming = items.filter(({ document }) => runAfterOf(document) * 1000 > now.getTime());
  let cancelled = 0;
  const future: Stored<MaintenanceManifestDocument>[] = [];
  for (const stored of coming) {
    const bound = await bind(database, stored, documentId, signal);
    if (bound) future.push(bound);
    else if (await cancel(database, stored, signal)) cancelled++;
  }
  const present = future.map(({ document }) => ({ id: document.id, runAfter: runAfterOf(document) }));
  const plan = planOf(maintenanceSchedule);
  const changes: Changes = matches
    ? planManifests(plan, key, present, now)
    : { create: [], cancel: present.map(({ id }) => id) };
  for (const stored of future.filter(({ document }) => changes.cancel.includes(document.id))) {
    if (await cancel(database, stored, signal)) cancelled++;
  }
  let created = 0;
  const { maintenanceTaskID } = maintenanceSchedule;
  const cluster = { key, documentId };
  for (const runAfter of changes.create) {
    const document = newManifest(scheduleId, maintenanceTaskID, cluster, runAfter);
    if (await createOrRevive(database, document, signal)) created++;
  }
  if (matches) {
    // Restores manifests that were cancelled while the schedule did not select the cluster, for example during an update.
    for (const runAfter of begunTimes(plan, key, now)) {
      if (present.some((each) => each.runAfter === runAfter)) continue;
      const document = newManifest(scheduleId, maintenanceTaskID, cluster, runAfter);
      if (await revive(database, document, signal)) created++;
    }
  }
  return { created, cancelled };
}

function runAfterOf({ maintenanceManifest }: MaintenanceManifestDocument): number {
  return maintenanceManifest.runAfter;
}

function newManifest(
  createdBySchedule: string,
  maintenanceTaskID: string,
  { key, documentId }: Pick<CachedCluster, "key" | "documentId">,
  runAfter: number,
): MaintenanceManifestDocument {
  return {
    id: manifestId(createdBySchedule, documentId, runAfter),
    partitionKey: key,
    clusterResourceID: key,
    clusterDocumentId: documentId,
    maintenanceManifest: {
      state: "Pending",
      maintenanceTaskID,
      createdBySchedule,
      priority: 0,
      runAfter,
      runBefore: runAfter + runForSeconds,
    },
  };
}

/**
 * Stores the ID of the cluster's document in a manifest and returns the manifest. Manifests of earlier releases lack this ID.
 * Returns undefined if the manifest belongs to an earlier cluster with the name of this cluster.
 */
async function bind(
  database: ServiceDatabase,
  stored: Stored<MaintenanceManifestDocument>,
  documentId: string,
  signal: AbortSignal,
): Promise<Stored<MaintenanceManifestDocument> | undefined> {
  const { clusterDocumentId, partitionKey } = stored.document;
  if (clusterDocumentId !== undefined) return clusterDocumentId === documentId ? stored : undefined;
  const document = { ...stored.document, clusterDocumentId: documentId };
  const write = replace(database.collections.manifests, stored, document);
  const result = await database.commit(partitionKey, [write], { signal });
  return result.kind === "committed" ? { document, etag: result.etags[0] ?? "" } : stored;
}

/**
 * Cancels a manifest. If a different process has changed the manifest first, returns false and does not change the manifest. The
 * schedule's next evaluation then decides about the manifest.
 */
async function cancel(
  database: ServiceDatabase,
  stored: Stored<MaintenanceManifestDocument>,
  signal: AbortSignal,
): Promise<boolean> {
  const document = cancelManifest(stored.document, cancelledText);
  const write = replace(database.collections.manifests, stored, document);
  return (await database.commit(document.partitionKey, [write], { signal })).kind === "committed";
}

/**
 * Creates a manifest, or restores a manifest that a scheduler cancelled. Does not change a manifest that an administrator
 * cancelled or a concurrent scheduler created.
 */
async function createOrRevive(
  database: ServiceDatabase,
  document: MaintenanceManifestDocument,
  signal: AbortSignal,
): Promise<boolean> {
  const { manifests } = database.collections;
  const made = await database.commit(document.partitionKey, [create(manifests, document)], { signal });
  return made.kind === "committed" || revive(database, document, signal);
}

/** Restores a manifest that a scheduler cancelled. */
async function revive(
  database: ServiceDatabase,
  document: MaintenanceManifestDocument,
  signal: AbortSignal,
): Promise<boolean> {
  const { manifests } = database.collections;
  const { partitionKey, id } = document;
  const stored = await manifests.find(partitionKey, id, signal);
  const { state, statusText } = stored?.document.maintenanceManifest ?? {};
  if (!stored || state !== "Cancelled" || statusText !== cancelledText) return false;
  const revived = withManifest(stored.document, { ...document.maintenanceManifest, statusText: "" });
  const write = replace(manifests, stored, revived);
  return (await database.commit(partitionKey, [write], { signal })).kind === "committed";
}
