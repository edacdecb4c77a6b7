import { availabilityAt, type ClusterHealthDocument, observationEnd } from "@keelson/model";
import type { ClusterHealth, HealthProblem } from "@keelson/portal-api";

/**
 * Returns the health of a cluster in the format of the portal API. `createdAt` is the creation time of the cluster (RFC 3339), or
 * undefined if this time is unknown.
 */
export function healthView(
  document: ClusterHealthDocument | undefined,
  now: Date,
  createdAt: string | undefined,
): ClusterHealth {
  const [{ state, reason, since }] = availabilityAt(document, now, createdAt ?? "");
  const sinceMs = Date.parse(since);
  const shown = {
    state,
    reason,
    ...(Number.isNaN(sinceMs) ? {} : { since: new Date(sinceMs).toISOString() }),
  };
  if (!document) return { ...shown, problems: [] };
  const { summary, observedAt } = document;
  return {
    ...shown,
    observedAt,
    staleAt: observationEnd(document).toISOString(),
    apiServer: summary.apiServer,
    nodes: summary.nodes,
    ...(summary.certificateDays === undefined ? {} : { certificateDays: summary.certificateDays }),
    problems: problemsOf(summary),
  };
}

function problemsOf(summary: ClusterHealthDocument["summary"]): HealthProblem[] {
  const { unavailableOperators, degradedOperators, notReadyNodes, criticalAlerts, warningAlerts } = summary;
  const lists = {
    UnavailableOperators: unavailableOperators,
    DegradedOperators: degradedOperators,
    NotReadyNodes: notReadyNodes,
    CriticalAlerts: criticalAlerts,
    WarningAlerts: warningAlerts,
  };
  const kinds = Object.keys(lists) as (keyof typeof lists)[];
  return kinds.flatMap((kind) => {
    const { count, names } = lists[kind];
    return count > 0 ? [{ kind, count, names: [...names] }] : [];
  });
}
