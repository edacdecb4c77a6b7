import type { ClusterHealth } from "@keelson/portal-api";
import { healthAt } from "../clusters/health.ts";
import { type Condition, conditionsOf } from "./conditions.ts";

interface ClusterWithHealth {
  readonly name: string;
  readonly health?: ClusterHealth;
}

/** Alert, with all clusters in which it fires. */
export interface FleetAlert<Cluster> extends Omit<Condition, "detail"> {
  readonly clusters: readonly { readonly cluster: Cluster; readonly detail: string }[];
}

/**
 * Returns the alerts of all clusters. Critical alerts come first. Alerts with the same severity are sorted by their number of
 * clusters, largest first.
 */
export function fleetAlerts<Cluster extends ClusterWithHealth>(
  clusters: readonly Cluster[],
  nowMs: number,
): readonly FleetAlert<Cluster>[] {
  const found = clusters.flatMap((cluster) =>
    conditionsOf(healthAt(cluster, nowMs)).map((condition) => ({ cluster, condition })),
  );
  const byAlert = Map.groupBy(
    found,
    ({ condition: { severity, source, name } }) => `${severity} ${source} ${name}`,
  );
  const alerts = [...byAlert.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { detail: _, ...condition } = first.condition;
    const inClusters = group.map(({ cluster, condition: { detail } }) => ({ cluster, detail }));
    return [{ ...condition, clusters: inClusters }];
  });
  const rank = ({ severity }: Pick<Condition, "severity">) => (severity === "critical" ? 0 : 1);
  return alerts.sort((one, other) => rank(one) - rank(other) || other.clusters.length - one.clusters.length);
}
