import type { ClusterHealth, ClusterSummary, HealthProblem } from "@keelson/portal-api";
import type { Status } from "../display/status.ts";

/** Health that is shown if an earlier version of the portal's server returns no health. */
const notObserved: ClusterHealth = { state: "Unknown", reason: "NotObserved", problems: [] };

/** Returns the health of a cluster. The health is unknown if the last observation is outdated. */
export function healthAt({ health = notObserved }: Partial<Pick<ClusterSummary, "health">>, nowMs: number) {
  const isStale = health.staleAt !== undefined && Date.parse(health.staleAt) < nowMs;
  return isStale ? { ...health, state: "Unknown" as const, reason: "ObservationTooOld" } : health;
}

const words = {
  Available: "Healthy",
  Degraded: "Degraded",
  Unavailable: "Unavailable",
  Unknown: "Unknown",
} as const satisfies Record<ClusterHealth["state"], string>;

export const healthWord = ({ state }: Pick<ClusterHealth, "state">): string => words[state];

export const healthStatus: Readonly<Record<ClusterHealth["state"], Status>> = {
  Available: "success",
  Degraded: "warning",
  Unavailable: "danger",
  Unknown: "info",
};

const phrases: Readonly<Record<HealthProblem["kind"], readonly [one: string, more: string]>> = {
  UnavailableOperators: ["operator unavailable", "operators unavailable"],
  DegradedOperators: ["operator degraded", "operators degraded"],
  NotReadyNodes: ["node not ready", "nodes not ready"],
  CriticalAlerts: ["critical alert", "critical alerts"],
  WarningAlerts: ["warning alert", "warning alerts"],
};

/** Returns a phrase for a problem, for example `2 nodes not ready`. */
export function problemPhrase({ kind, count }: Pick<HealthProblem, "kind" | "count">): string {
  // A kind without a phrase is shown unchanged, because a newer portal may report additional kinds.
  const [one = kind, more = kind] = phrases[kind] ?? [];
  return `${count} ${count === 1 ? one : more}`;
}

/** Returns the names of a problem's objects, followed by the number of objects that are not named. */
export function problemNames({ names, count }: Pick<HealthProblem, "names" | "count">): string {
  const more = count - names.length;
  return more > 0 ? `${names.join(", ")} and ${more} more` : names.join(", ");
}

/** Remaining validity in days below which a certificate is reported. Certificates are normally renewed earlier. */
const renewalDays = 21;

/** Returns a phrase about the expiry of the service's certificates. Empty if they do not expire soon. */
export function certificatePhrase({ certificateDays }: Pick<ClusterHealth, "certificateDays">): string {
  if (certificateDays === undefined || certificateDays > renewalDays) return "";
  if (certificateDays < 0) return "certificate expired";
  return `certificate expires in ${certificateDays} day${certificateDays === 1 ? "" : "s"}`;
}

const reasons: Readonly<Record<string, string>> = {
  ApiServerNotResponding: "API server does not respond",
  ApiServerUnhealthy: "API server is unhealthy",
  NotObserved: "not observed",
  ObservationTooOld: "not observed for 30 minutes",
};

/** Returns one phrase for each problem of a cluster. Empty if the cluster is healthy. */
export function healthPhrases(health: ClusterHealth): readonly string[] {
  const reason = reasons[health.reason];
  if (health.state === "Unknown") return reason === undefined ? [] : [reason];
  const certificate = certificatePhrase(health);
  return [
    ...(reason === undefined ? [] : [reason]),
    ...health.problems.map(problemPhrase),
    ...(certificate === "" ? [] : [certificate]),
  ];
}

const ranks: Readonly<Record<ClusterHealth["state"], number>> = {
  Unavailable: 0,
  Degraded: 1,
  Unknown: 2,
  Available: 3,
};

/** Returns a sort key for the health. The clusters that most need attention have the lowest keys. */
export function healthRank(health: ClusterHealth): number {
  const alerts = health.problems.some(({ kind }) => kind === "CriticalAlerts") ? 0 : 0.5;
  const problems = Math.min(0.4, health.problems.length / 20);
  return ranks[health.state] + alerts - problems;
}
