import { maintenanceTaskNames } from "@keelson/admin-actions";
import {
  type ClusterDocument,
  isManifestOf,
  type MaintenanceManifestDocument,
  registeredTasks,
  type ServiceDatabase,
} from "@keelson/model";
import type { Maintenance, MaintenanceManifestView } from "@keelson/portal-api";

const mostManifests = 500;

/** Reads the maintenance manifests of a cluster, latest first. Manifests of earlier clusters with the same name are omitted. */
export async function readMaintenance(
  database: ServiceDatabase,
  cluster: ClusterDocument,
  signal: AbortSignal,
): Promise<readonly MaintenanceManifestView[]> {
  const query = { partitionKey: cluster.key, limit: mostManifests };
  const { items } = await database.collections.manifests.list(query, signal);
  return items
    .filter(({ document }) => isManifestOf(cluster, document))
    .map(({ document }) => manifestView(document))
    .sort((a, b) => b.runAfter.localeCompare(a.runAfter));
}

/**
 * Lists the tasks that running actuators can execute, ordered by name. If no actuator is registered, lists all tasks that this
 * release contains.
 */
export async function readTasks(
  database: ServiceDatabase,
  signal: AbortSignal,
): Promise<Maintenance["tasks"]> {
  const registered = await registeredTasks(database, signal);
  return [...maintenanceTaskNames]
    .filter(([id]) => registered?.has(id) ?? true)
    .map(([id, name]) => ({ id, name }))
    .sort((a, b) => a.name.localeCompare(b.name));
}

function manifestView({ id, maintenanceManifest }: MaintenanceManifestDocument): MaintenanceManifestView {
  const { state, statusText, maintenanceTaskID, createdBySchedule, priority, runAfter, runBefore } =
    maintenanceManifest;
  return {
    id,
    task: maintenanceTaskID,
    taskName: maintenanceTaskNames.get(maintenanceTaskID) ?? maintenanceTaskID,
    state,
    statusText: statusText ?? "",
    priority,
    runAfter: timeOf(runAfter),
    runBefore: timeOf(runBefore),
    ...(createdBySchedule ? { createdBySchedule } : {}),
  };
}

function timeOf(seconds: number): string {
  return new Date(seconds * 1_000).toISOString();
}
