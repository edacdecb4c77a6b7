import type { Dashboard } from "@grafana/schema";
import type { AlertGroup } from "./alert.ts";
import { alertGroups, alerts } from "./alert-groups.ts";
import { type Chart, type ChartRow, createDashboard, datasource, firingAlerts, stat } from "./grafana.ts";
import { metricsOf } from "./runbooks.ts";
import { type Series, seriesOf } from "./series.ts";

/** Labels that identify the cluster of a series. Clusters in different resource groups can have the same name. */
const clusterLabels = ["resourceId", "resourceGroup", "resourceName"];

/** Returns the Grafana dashboard of clusters. It shows firing alerts, then one row per runbook chapter with one panel per metric. */
export function dashboard(): Dashboard {
  return createDashboard({
    title: "Keelson: clusters",
    uid: "keelson-clusters",
    variables: [variable("subscription", "subscriptionId"), variable("cluster", "resourceName")],
    overview: [
      stat("Clusters watched", "count(count by (resourceId) (cluster_apiserver_healthz_code))", 0, 0),
      stat(
        "Not healthy",
        'count(count by (resourceId) (cluster_apiserver_healthz_code{code!="200"})) or vector(0)',
        4,
        0,
      ),
      firingAlerts(alerts.map(({ name }) => name)),
    ],
    rows: alertGroups.map(row),
  });
}

function variable(name: string, label: string) {
  return {
    name,
    type: "query" as const,
    datasource,
    query: { query: `label_values(cluster_versions, ${label})`, refId: "values" },
    refresh: 2,
    sort: 1,
    includeAll: true,
    multi: true,
    allValue: ".*",
    current: { text: "All", value: "$__all" },
  };
}

function row(group: AlertGroup): ChartRow {
  return { title: group.title, charts: metricsOf(group).map((metric) => chart(seriesOf(metric))) };
}

function chart(series: Series): Chart {
  return {
    title: series.metric,
    description: series.help,
    queries: [{ expr: panelExpression(series), legend: legendOf(series) }],
  };
}

/**
 * Returns a panel's expression, which aggregates over the monitor's labels. A cluster therefore keeps one line in the chart when
 * a different monitor takes over the cluster.
 */
function panelExpression(series: Series): string {
  if (series.isCounter) return `sum by (${shownLabels(series).join(", ")}) (rate(${series.series}[5m]))`;
  const isOfCluster = !series.metric.startsWith("monitor.") || series.metric.startsWith("monitor.cluster.");
  if (!isOfCluster) return `max by (${shownLabels(series).join(", ")}) (${series.series})`;
  const selected = `${series.series}{subscriptionId=~"$subscription",resourceName=~"$cluster"}`;
  return `max by (${[...new Set([...clusterLabels, ...shownLabels(series)])].join(", ")}) (${selected})`;
}

function legendOf(series: Series): string {
  const own = shownLabels(series).filter((label) => !clusterLabels.includes(label));
  return ["{{resourceGroup}}/{{resourceName}}", ...own.map((label) => `{{${label}}}`)].join(" ");
}

/**
 * Returns the labels that a panel shows. Metrics with one dimension per operator flag get an empty list, because a line for each
 * combination of flags would be useless.
 */
function shownLabels({ labels }: Series): readonly string[] {
  return labels.length > 12 ? [] : labels.map((label) => label.replace(/[^a-zA-Z0-9_]/g, "_"));
}
