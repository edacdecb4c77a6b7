/** Availability of a cluster in the terms of Azure Resource Health. */
export type AvailabilityState = "Available" | "Degraded" | "Unavailable" | "Unknown";

/** Number of objects, and the names of the first objects in alphabetical order. */
export interface NamedObjects {
  readonly count: number;
  readonly names: readonly string[];
}

/**
 * Last observation of a cluster by the monitor. The summary has at most 4 KiB as JSON, regardless of the size of the cluster's
 * responses.
 */
export interface HealthSummary {
  /** Status code that the API server returns for /healthz. 0 if it does not respond. */
  readonly apiServer: number;
  readonly unavailableOperators: NamedObjects;
  readonly degradedOperators: NamedObjects;
  readonly notReadyNodes: NamedObjects;
  readonly nodes: number;
  /** Firing critical alerts of the platform. */
  readonly criticalAlerts: NamedObjects;
  readonly warningAlerts: NamedObjects;
  /**
   * Full days until the earliest expiry of the certificates that the service issued for the cluster. Undefined if the service
   * issued no certificate.
   */
  readonly certificateDays?: number;
}

/** Change of a cluster's availability. Times: RFC 3339. */
export interface AvailabilityChange {
  readonly state: AvailabilityState;
  /** Reason in PascalCase, for example `NodesNotReady`. */
  readonly reason: string;
  readonly since: string;
}

/** Health of one cluster. Partition: the partition of the cluster's document. */
export interface ClusterHealthDocument {
  /** ID of the cluster's document. */
  readonly id: string;
  readonly partitionKey: string;
  /** Resource ID of the cluster, lower case. */
  readonly clusterKey: string;
  /** Time of the observation (RFC 3339). */
  readonly observedAt: string;
  readonly summary: HealthSummary;
  /** Availability changes, newest first. The first element is the current availability. */
  readonly changes: readonly AvailabilityChange[];
}

/** Maximum number of stored availability changes. */
const maxChanges = 50;
/** Time in ms after which the monitor writes an unchanged summary again. */
const rewriteMs = 10 * 60_000;
/** Age in ms at which a summary is outdated. */
const staleMs = 3 * rewriteMs;

/** Returns the availability that a summary implies, with its reason. */
export function availabilityOf(summary: HealthSummary): Omit<AvailabilityChange, "since"> {
  if (summary.apiServer === 0) return { state: "Unavailable", reason: "ApiServerNotResponding" };
  if (summary.apiServer !== 200) return { state: "Unavailable", reason: "ApiServerUnhealthy" };
  if (summary.unavailableOperators.count > 0) return { state: "Degraded", reason: "OperatorsUnavailable" };
  if (summary.notReadyNodes.count > 0) return { state: "Degraded", reason: "NodesNotReady" };
  if (summary.degradedOperators.count > 0) return { state: "Degraded", reason: "OperatorsDegraded" };
  return { state: "Available", reason: "Healthy" };
}

/**
 * Returns the document after an observation. Returns undefined if the stored document has the same content and is recent, because
 * no write is then necessary.
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

/** Returns the time at which an observation becomes outdated. */
export function observationEnd({ observedAt }: Pick<ClusterHealthDocument, "observedAt">): Date {
  return new Date(Date.parse(observedAt) + staleMs);
}

/** Returns the availability changes, newest first. If the last observation is outdated, the first element is `Unknown`. */
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
