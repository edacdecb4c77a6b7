/** Availability of a cluster, in the words of Azure Resource Health. */
export type AvailabilityState = "Available" | "Degraded" | "Unavailable" | "Unknown";

/** Objects by name: the first names in alphabetical order, and the number of all. */
export interface NamedObjects {
  readonly count: number;
  readonly names: readonly string[];
}

/** Last observation of a cluster by the monitor. At most 4 KiB as JSON, whatever the cluster returns. */
export interface HealthSummary {
  /** Status code of the API server's /healthz. 0: no response. */
  readonly apiServer: number;
  readonly unavailableOperators: NamedObjects;
  readonly degradedOperators: NamedObjects;
  readonly notReadyNodes: NamedObjects;
  readonly nodes: number;
  /** Alerts of the platform that fire. */
  readonly criticalAlerts: NamedObjects;
  readonly warningAlerts: NamedObjects;
  /** Full days until the first certificate of the service expires. Undefined if the service issued none. */
  readonly certificateDays?: number;
}

/** Change of the availability. Times: RFC 3339. */
export interface AvailabilityChange {
  readonly state: AvailabilityState;
  /** Reason in PascalCase, for example `NodesNotReady`. */
  readonly reason: string;
  readonly since: string;
}

/** Health of one cluster. Partition: as the cluster's document. */
export interface ClusterHealthDocument {
  /** ID of the cluster's document. */
  readonly id: string;
  readonly partitionKey: string;
  /** The cluster's resource ID, lower case. */
  readonly clusterKey: string;
  /** Time of the observation. RFC 3339. */
  readonly observedAt: string;
  readonly summary: HealthSummary;
  /** Newest first. The first one is the current availability. */
  readonly changes: readonly AvailabilityChange[];
}

/** Maximum number of stored changes. */
const maxChanges = 50;
/** The monitor writes an unchanged summary after this time. */
const rewriteMs = 10 * 60_000;
/** Age at which a summary is no longer current. */
const staleMs = 3 * rewriteMs;

/** Returns the availability that a summary shows, and its reason. */
export function availabilityOf(summary: HealthSummary): Omit<AvailabilityChange, "since"> {
  if (summary.apiServer === 0) return { state: "Unavailable", reason: "ApiServerNotResponding" };
  if (summary.apiServer !== 200) return { state: "Unavailable", reason: "ApiServerUnhealthy" };
  if (summary.unavailableOperators.count > 0) return { state: "Degraded", reason: "OperatorsUnavailable" };
  if (summary.notReadyNodes.count > 0) return { state: "Degraded", reason: "NodesNotReady" };
  if (summary.degradedOperators.count > 0) return { state: "Degraded", reason: "OperatorsDegraded" };
  return { state: "Available", reason: "Healthy" };
}

/**
 * Returns the document after an observation, or undefined if the stored document is equal and recent: it is not written
 * again.
 */
export function observe(
  stored: ClusterHealthDocument | undefined,
  observed: Omit<ClusterHealthDocument, "changes">,
): ClusterHealthDocument | undefined {
  const ageMs = Date.parse(observed.observedAt) - Date.parse(stored?.observedAt ?? "");
  if (stored && ageMs < rewriteMs && JSON.stringify(stored.summary) === JSON.stringify(observed.summary))
    return undefined;
  const current = availabilityOf(observed.summary);
  const changes = stored?.changes ?? [];
  const [last] = changes;
  if (last?.state === current.state && last.reason === current.reason) return { ...observed, changes };
  const added = { ...current, since: observed.observedAt };
  return { ...observed, changes: [added, ...changes].slice(0, maxChanges) };
}

/** Returns the time after which an observation is no longer current. */
export function observationEnd({ observedAt }: Pick<ClusterHealthDocument, "observedAt">): Date {
  return new Date(Date.parse(observedAt) + staleMs);
}

/** Returns the changes newest first. An observation that is too old ends with the state `Unknown`. */
export function availabilityAt(
  document: ClusterHealthDocument | undefined,
  now: Date,
  createdAt: string,
): readonly [AvailabilityChange, ...AvailabilityChange[]] {
  const [current, ...earlier] = document?.changes ?? [];
  if (!document || !current) return [{ state: "Unknown", reason: "NotObserved", since: createdAt }];
  const end = observationEnd(document);
  if (now <= end) return [current, ...earlier];
  return [{ state: "Unknown", reason: "ObservationTooOld", since: end.toISOString() }, current, ...earlier];
}
