import type { AlertGroup } from "./alert.ts";
import { alertGroups, alerts } from "./alert-groups.ts";
import { metricsOf } from "./runbooks.ts";
import { type Series, seriesOf } from "./series.ts";

// biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of Grafana
const datasource = { type: "prometheus", uid: "${datasource}" };
const columns = 2;
const width = 24 / columns;
const height = 8;

/** Labels that identify the cluster of a series. Clusters in different resource groups can have the same name. */
const clusterLabels = ["resourceId", "resourceGroup", "resourceName"];

/** Returns a Grafana dashboard. It shows firing alerts, then one row per runbook chapter with one panel per metric. */
export function dashboard(): object {
  const rows = alertGroups.reduce<{ readonly panels: readonly object[]; readonly y: number }>(
    ({ panels, y }, group) => {
      const made = row(group, y);
      return { panels: [...panels, ...made.panels], y: made.y };
    },
    { panels: overview(), y: height },
  );
  return {
    title: "Keelson: clusters",
    uid: "keelson-clusters",
    tags: ["keelson"],
    schemaVersion: 39,
    editable: true,
    refresh: "1m",
    time: { from: "now-6h", to: "now" },
    templating: { list: variables() },
    panels: numbered(rows.panels),
  };
}

type Panel = object & { readonly panels?: readonly object[] };

/** Assigns an ID to each panel, including panels inside rows. */
function numbered(panels: readonly Panel[], next = { id: 1 }): readonly object[] {
  return panels.map((panel) => {
    const id = next.id++;
    return { id, ...panel, ...(panel.panels ? { panels: numbered(panel.panels, next) } : {}) };
  });
}

function variables(): readonly object[] {
  const all = { includeAll: true, multi: true, allValue: ".*", current: { text: "All", value: "$__all" } };
  const ofLabel = (name: string, label: string) => ({
    name,
    type: "query",
    datasource,
    query: { query: `label_values(cluster_versions, ${label})`, refId: "values" },
    refresh: 2,
    sort: 1,
    ...all,
  });
  return [
    { name: "datasource", type: "datasource", query: "prometheus" },
    ofLabel("subscription", "subscriptionId"),
    ofLabel("cluster", "resourceName"),
  ];
}

function overview(): readonly object[] {
  const names = alerts.map(({ name }) => name);
  const stat = (x: number, title: string, expr: string) => ({
    type: "stat",
    title,
    datasource,
    gridPos: { x, y: 0, w: 4, h: height / 2 },
    targets: [{ refId: "A", expr, instant: true }],
  });
  return [
    stat(0, "Clusters watched", "count(count by (resourceId) (cluster_apiserver_healthz_code))"),
    stat(
      4,
      "Not healthy",
      'count(count by (resourceId) (cluster_apiserver_healthz_code{code!="200"})) or vector(0)',
    ),
    {
      type: "table",
      title: "Alerts that fire",
      datasource,
      gridPos: { x: 8, y: 0, w: 16, h: height },
      targets: [
        {
          refId: "A",
          expr: `ALERTS{alertstate="firing",alertname=~"${names.join("|")}"}`,
          instant: true,
          format: "table",
        },
      ],
      transformations: [
        { id: "organize", options: { excludeByName: { Time: true, Value: true, __name__: true } } },
      ],
    },
  ];
}

/** Returns a dashboard row. All rows except the first are collapsed, because hidden panels send no query to Prometheus. */
function row(group: AlertGroup, y: number): { readonly panels: readonly object[]; readonly y: number } {
  const isOpen = group === alertGroups[0];
  const metrics = metricsOf(group);
  const panels = metrics.map((metric, at) => ({
    ...panel(seriesOf(metric)),
    gridPos: {
      x: (at % columns) * width,
      y: y + 1 + Math.floor(at / columns) * height,
      w: width,
      h: height,
    },
  }));
  const header = { type: "row", title: group.title, gridPos: { x: 0, y, w: 24, h: 1 } };
  const below = y + 1;
  return isOpen
    ? {
        panels: [{ ...header, collapsed: false, panels: [] }, ...panels],
        y: below + Math.ceil(metrics.length / columns) * height,
      }
    : { panels: [{ ...header, collapsed: true, panels }], y: below };
}

function panel(series: Series): object {
  return {
    type: "timeseries",
    title: series.metric,
    description: series.help,
    datasource,
    fieldConfig: {
      defaults: { custom: { drawStyle: "line", lineInterpolation: "stepAfter" } },
      overrides: [],
    },
    options: {
      legend: { displayMode: "list", placement: "bottom" },
      tooltip: { mode: "multi", sort: "desc" },
    },
    targets: [{ refId: "A", expr: panelExpression(series), legendFormat: legendOf(series) }],
  };
}

/**
 * Returns a panel's expression without the monitor's labels. A cluster then remains one line if a different monitor acquires it.
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
 * Returns the labels that a panel shows. The list is empty for metrics with one dimension per operator flag, because a line per
 * combination would be useless.
 */
function shownLabels({ labels }: Series): readonly string[] {
  return labels.length > 12 ? [] : labels.map((label) => label.replace(/[^a-zA-Z0-9_]/g, "_"));
}
