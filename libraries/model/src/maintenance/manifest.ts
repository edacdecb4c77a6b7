import { CloudError, type ResourceKey } from "@keelson/arm";
import { isPlainObject } from "@keelson/base";
import { malformed } from "../bodies/malformed.ts";
import { invalid, requestInteger, requestString } from "../bodies/request-properties.ts";
import { type BindingCluster, isBoundTo } from "../documents/cluster-binding.ts";

const manifestStates = [
  "Pending",
  "InProgress",
  "Completed",
  "Failed",
  "RetriesExceeded",
  "TimedOut",
  "Cancelled",
] as const;
type ManifestState = (typeof manifestStates)[number];

/** Maintenance task for one cluster. Times are Unix seconds. */
export interface MaintenanceManifest {
  readonly state: ManifestState;
  /** Reason for the state. */
  readonly statusText?: string;
  readonly maintenanceTaskID: string;
  /** ID of the schedule that created it. Undefined for a manifest of an administrator. */
  readonly createdBySchedule?: string;
  /** Order of manifests with the same `runAfter`; lower values come first. */
  readonly priority: number;
  readonly runAfter: number;
  /** Time after which it must not be started. */
  readonly runBefore: number;
}

/** Partition: the cluster's key. */
export interface MaintenanceManifestDocument {
  readonly id: string;
  readonly partitionKey: ResourceKey;
  readonly clusterResourceID: ResourceKey;
  /** ID of the cluster's document. Missing in documents of older releases: see `isManifestOf`. */
  readonly clusterDocumentId?: string;
  readonly maintenanceManifest: MaintenanceManifest;
}

/**
 * True if the manifest was planned for this cluster and not for an earlier one with the same name. The due
 * time decides for manifests of older releases. Such a manifest must not start, because a pending one may
 * belong to an earlier cluster.
 */
export function isManifestOf(cluster: BindingCluster, document: MaintenanceManifestDocument): boolean {
  const { clusterDocumentId, maintenanceManifest } = document;
  return isBoundTo(cluster, clusterDocumentId, new Date(maintenanceManifest.runAfter * 1_000).toISOString());
}

/** True while the manifest waits for an actuator or is executed. */
export function isManifestQueued({ maintenanceManifest: { state } }: MaintenanceManifestDocument): boolean {
  return state === "Pending" || state === "InProgress";
}

const defaultTtlSeconds = 7 * 24 * 3600;

/**
 * The manifest in the body of an administrator's PUT. Defaults, also for 0: `runAfter` is now, `runBefore` seven days later.
 * @throws CloudError InvalidParameter, InvalidRequestContent
 */
export function parseManifestRequest(body: unknown, now: Date): MaintenanceManifest {
  if (!isPlainObject(body)) throw malformed("", "an object", body);
  const nowSeconds = Math.floor(now.getTime() / 1000);
  const maintenanceTaskID = requestString(body, "maintenanceTaskID");
  if (maintenanceTaskID === "") throw invalid("maintenanceTaskID", "Must be provided");
  const runAfter = secondsAt(body, "runAfter") || nowSeconds;
  const runBefore = secondsAt(body, "runBefore") || Math.max(nowSeconds, runAfter) + defaultTtlSeconds;
  if (runBefore < runAfter) throw invalid("runBefore", "Must not be before runAfter");
  // IDs of schedules are lower case.
  const createdBySchedule = requestString(body, "createdBySchedule").toLowerCase();
  return {
    state: "Pending",
    maintenanceTaskID,
    ...(createdBySchedule === "" ? {} : { createdBySchedule }),
    priority: requestInteger(body, "priority"),
    runAfter,
    runBefore,
  };
}

/** The year 9999 ends here: later times are milliseconds by mistake. */
const latestSeconds = 253_402_300_799;

function secondsAt(body: Record<string, unknown>, name: string): number {
  const value = requestInteger(body, name);
  if (value >= 0 && value <= latestSeconds) return value;
  throw invalid(name, "Must be a time in seconds since 1970");
}

/** A manifest as administrators see it; with its cluster in lists of many clusters. */
export function externalManifest(
  { id, clusterResourceID, maintenanceManifest }: MaintenanceManifestDocument,
  scope: "one cluster" | "many clusters",
): object {
  const { state, statusText, maintenanceTaskID, createdBySchedule, priority, runAfter, runBefore } =
    maintenanceManifest;
  return {
    id,
    ...(scope === "many clusters" ? { clusterResourceID } : {}),
    state,
    ...(statusText ? { statusText } : {}),
    maintenanceTaskID,
    ...(createdBySchedule ? { createdBySchedule } : {}),
    ...(priority === 0 ? {} : { priority }),
    runAfter,
    runBefore,
  };
}

/**
 * The manifest without further work for anyone.
 * @throws CloudError PropertyChangeNotAllowed (406) unless it is pending
 */
export function cancelManifest(
  document: MaintenanceManifestDocument,
  statusText?: string,
): MaintenanceManifestDocument {
  const { state } = document.maintenanceManifest;
  if (state !== "Pending") {
    throw new CloudError("PropertyChangeNotAllowed", `cannot cancel task in state ${state}`, { status: 406 });
  }
  return withManifest(document, { state: "Cancelled", ...(statusText === undefined ? {} : { statusText }) });
}

/** Returns `document` with changed manifest fields. */
export function withManifest(
  document: MaintenanceManifestDocument,
  change: Partial<MaintenanceManifest>,
): MaintenanceManifestDocument {
  return { ...document, maintenanceManifest: { ...document.maintenanceManifest, ...change } };
}
