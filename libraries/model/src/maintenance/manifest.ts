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

/** Maintenance task for one cluster. Times are in seconds since the Unix epoch. */
export interface MaintenanceManifest {
  readonly state: ManifestState;
  /** Description of the state, for example its reason. */
  readonly statusText?: string;
  readonly maintenanceTaskID: string;
  /** ID of the schedule that created the manifest. Undefined if an administrator created it. */
  readonly createdBySchedule?: string;
  /** Priority among manifests with the same `runAfter`. Lower values run first. */
  readonly priority: number;
  readonly runAfter: number;
  /** Latest start time. The manifest must not start later. */
  readonly runBefore: number;
}

/** Stored maintenance manifest. Partition: the cluster's key. */
export interface MaintenanceManifestDocument {
  readonly id: string;
  readonly partitionKey: ResourceKey;
  readonly clusterResourceID: ResourceKey;
  /** ID of the cluster's document. Undefined in documents of older releases: see `isManifestOf`. */
  readonly clusterDocumentId?: string;
  readonly maintenanceManifest: MaintenanceManifest;
}

/**
 * True if the manifest was planned for this cluster and not for an earlier cluster with the same name. Manifests of older
 * releases do not contain the cluster's document ID. For such a manifest, the result is true if it is due at least five minutes
 * after the cluster's creation. The manifest may still be intended for an earlier cluster, so actuators do not start manifests
 * without a document ID.
 */
export function isManifestOf(cluster: BindingCluster, document: MaintenanceManifestDocument): boolean {
  const { clusterDocumentId, maintenanceManifest } = document;
  return isBoundTo(cluster, clusterDocumentId, new Date(maintenanceManifest.runAfter * 1_000).toISOString());
}

/** True if an actuator executes the manifest or will execute it. */
export function isManifestQueued({ maintenanceManifest: { state } }: MaintenanceManifestDocument): boolean {
  return state === "Pending" || state === "InProgress";
}

const defaultTtlSeconds = 7 * 24 * 3600;

/**
 * Parses the body of an administrator's PUT request. `runAfter` defaults to now, and `runBefore` to seven days later. The value 0
 * also means the default.
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
  // IDs of schedules are in lower case.
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

/** Last second of the year 9999. If a request contains a later time, the time is probably in ms by mistake. */
const latestSeconds = 253_402_300_799;

function secondsAt(body: Record<string, unknown>, name: string): number {
  const value = requestInteger(body, name);
  if (value >= 0 && value <= latestSeconds) return value;
  throw invalid(name, "Must be a time in seconds since 1970");
}

/** Returns a manifest in the admin API format. In a list of manifests of several clusters, each entry also names its cluster. */
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
 * Returns the manifest in the state `Cancelled`.
 * @throws CloudError PropertyChangeNotAllowed (406) unless the manifest is pending
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
