import type { ClusterHealth, HealthProblem } from "@keelson/portal-api";
import { certificatePhrase, problemNames, problemPhrase } from "../clusters/health.ts";

export type Severity = "critical" | "warning";

/** Problem that the monitor found in a cluster, or a firing alert of the cluster. */
export interface Condition {
  /** Name of the alert for the condition. */
  readonly name: string;
  readonly severity: Severity;
  /** Origin of the condition: the service's monitor, or the platform alerts of the cluster. */
  readonly source: "monitor" | "cluster";
  readonly detail: string;
  /** Name of the service's runbook for the condition. */
  readonly runbook: string;
}

const ofApiServer: Readonly<Record<string, readonly [name: string, detail: string]>> = {
  ApiServerNotResponding: ["KeelsonApiServerUnreachable", "no response of /healthz"],
  ApiServerUnhealthy: ["KeelsonApiServerUnhealthy", "/healthz fails"],
};

/** Name of the runbook for alerts of a cluster's own rules. */
export const platformRunbook = "KeelsonPlatformAlertCritical";

/** Returns the conditions of an observation. Critical conditions are first. */
export function conditionsOf(health: ClusterHealth): readonly Condition[] {
  if (health.state === "Unknown") return [];
  const conditions: Condition[] = [];
  const add = (name: string, severity: Severity, detail: string) =>
    conditions.push({ name, severity, source: "monitor", detail, runbook: name });
  const [name, detail] = ofApiServer[health.reason] ?? [];
  if (name !== undefined && detail !== undefined) add(name, "critical", detail);
  for (const problem of health.problems) conditions.push(...problemConditions(problem));
  const certificate = certificatePhrase(health);
  const { certificateDays = 0 } = health;
  if (certificate !== "")
    add(
      certificateDays < 0 ? "KeelsonCertificateExpired" : "KeelsonCertificateExpiring",
      certificateDays < 0 ? "critical" : "warning",
      certificate,
    );
  const rank = ({ severity }: Condition) => (severity === "critical" ? 0 : 1);
  return conditions.sort((one, other) => rank(one) - rank(other));
}

function problemConditions(problem: HealthProblem): readonly Condition[] {
  const detail = problemNames(problem);
  const ours = (name: string, severity: Severity): readonly Condition[] => [
    { name, severity, source: "monitor", detail, runbook: name },
  ];
  const alerts = (severity: Severity) => [
    ...problem.names.map((name): Condition => {
      return { name, severity, source: "cluster", detail: "", runbook: platformRunbook };
    }),
    ...(problem.count > problem.names.length ? [unnamed(problem, severity)] : []),
  ];
  switch (problem.kind) {
    case "UnavailableOperators":
      return ours("KeelsonClusterOperatorUnavailable", "critical");
    case "DegradedOperators":
      return ours("KeelsonClusterOperatorDegraded", "warning");
    case "NotReadyNodes":
      return problem.names.some((name) => /-master-\d+$/.test(name))
        ? ours("KeelsonMasterNotReady", "critical")
        : ours("KeelsonWorkerNotReady", "warning");
    case "CriticalAlerts":
      return alerts("critical");
    case "WarningAlerts":
      return alerts("warning");
    default:
      // Ignores kinds that are unknown to this page, because a newer portal process may report additional kinds.
      return [];
  }
}

/** Returns one condition for all objects of a problem that have no stored name. The monitor stores only the first names of a list. */
function unnamed({ kind, count, names }: HealthProblem, severity: Severity): Condition {
  const detail = problemPhrase({ kind, count: count - names.length });
  return { name: "(further alerts)", severity, source: "cluster", detail, runbook: platformRunbook };
}
