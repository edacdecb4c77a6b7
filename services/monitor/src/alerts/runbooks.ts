import type { Alert, AlertGroup } from "./alert.ts";
import { alertGroups } from "./alert-groups.ts";
import { expressionOf } from "./alert-rules.ts";
import type { ServiceAlert } from "./burn-alerts.ts";
import { drillsChapter } from "./drills.ts";
import { allCollectors, seriesOf } from "./series.ts";
import { serviceAlertGroups } from "./service-alerts.ts";

const introduction = `# Runbooks

<!-- Made from services/monitor/src/alerts by \`make generate\`: do not edit. -->

This page documents the alerts of [deploy/monitoring/rules.yaml](../deploy/monitoring/rules.yaml). Each section has the name of an alert, its metric, severity
and delay, its expression, its meaning, and the steps to fix the cause. Each chapter also lists the metrics without alerts. At the end of the page are
[alerts of the service itself](#objectives-of-the-service), [drills](#drills) (faults to rehearse) and [losses](#losses) (recovery of lost data).

A Prometheus server that scrapes the monitors evaluates the alerts. [deploy/monitoring/dashboard.json](../deploy/monitoring/dashboard.json) shows the
metrics in Grafana. The tables contain the names of metrics in statsd and OpenTelemetry. In Prometheus, a name has \`_\` instead of \`.\`, and gets the
prefix \`cluster_\` unless it begins with \`cluster_\` or \`monitor_\`. Each metric has the dimensions \`resourceId\`, \`subscriptionId\`, \`resourceGroup\` and
\`resourceName\`, and the dimensions in the table. Routes such as \`GET resources\` are actions of the [admin API](admin-actions.md) on the affected
cluster. An administrative update of a cluster is the [maintenance task](maintenance.md) \`Everything\`. The steps below use this request:

    curl --cacert CA.pem --cert ADMIN.pem --key ADMIN-KEY.pem -X PATCH "https://RP$CLUSTER_ID?api-version=admin" \\
      -H 'content-type: application/json' -d '{"properties":{"maintenanceTask":"Everything"}}'

For all clusters, repeat the request for each \`id\` in the list \`value\` of \`GET /admin/clusters\`.
`;

/** Renders `docs/runbooks.md`. */
export function runbooks(): string {
  return [introduction, ...alertGroups.map(chapter), serviceChapters(), drillsChapter()].join("\n");
}

/** Renders the runbooks for the portal's pages, by alert name. Code in the texts is enclosed in backticks. */
export function portalRunbooks(): string {
  const entries = alertGroups
    .flatMap((group) => group.alerts)
    .map(({ name, severity, summary, meaning, actions }) => [
      name,
      { severity, summary: plain(summary).replaceAll("*", ""), meaning, actions },
    ]);
  return `${JSON.stringify(Object.fromEntries(entries), undefined, 2)}\n`;
}

function chapter(group: AlertGroup): string {
  const alerting = new Set(group.alerts.map(({ metric }) => metric));
  const silent = metricsOf(group).filter((metric) => !alerting.has(metric));
  return [`## ${group.title}\n`, ...group.alerts.map(section), ...metricTable(silent)].join("\n");
}

/** Renders the chapters about the service itself. */
function serviceChapters(): string {
  return serviceAlertGroups
    .map(({ title, alerts }) => [`## ${title}\n`, ...alerts.map(serviceSection)].join("\n"))
    .join("\n");
}

function serviceSection({
  name,
  expression,
  forMinutes,
  severity,
  summary,
  meaning,
  actions,
}: ServiceAlert): string {
  const wait =
    forMinutes === 0 ? "immediately" : `after ${forMinutes} ${forMinutes === 1 ? "minute" : "minutes"}`;
  const steps = actions.map((action, at) => `${at + 1}. ${action}`);
  return `### ${name}

${plain(summary)} ${severity === "critical" ? "Critical" : "Warning"}, ${wait}.

\`\`\`promql
${expression}
\`\`\`

${meaning}

${steps.join("\n")}
`;
}

/** Returns the metrics of a group. The metrics of the group's alerts come first. */
export function metricsOf({ alerts, collectors }: AlertGroup): readonly string[] {
  const measured = collectors.flatMap((name) => {
    const collector = allCollectors.find((each) => each.name === name);
    if (!collector) throw new Error(`no collector ${name}`);
    return Object.keys(collector.metrics);
  });
  return [...new Set([...alerts.map(({ metric }) => metric), ...measured])];
}

function section(alert: Alert): string {
  const { name, metric, severity, forMinutes, summary, meaning, actions } = alert;
  const wait =
    forMinutes === 0 ? "immediately" : `after ${forMinutes} ${forMinutes === 1 ? "minute" : "minutes"}`;
  const steps = actions.map((action, at) => `${at + 1}. ${action}`);
  return `### ${name}

${plain(summary)} \`${metric}\`, ${severity}, ${wait}.

\`\`\`promql
${expressionOf(alert)}
\`\`\`

${meaning}

${steps.join("\n")}
`;
}

/** Replaces the template placeholders of a summary with label names and `N`, in italics. */
function plain(summary: string): string {
  return summary
    .replace(/\{\{ \$labels\.(\w+) \}\}/g, (_, label: string) => `*${label}*`)
    .replace("{{ $value }}", "*N*");
}

function metricTable(metrics: readonly string[]): readonly string[] {
  if (metrics.length === 0) return [];
  const rows = metrics.map((metric) => {
    const { help, labels } = seriesOf(metric);
    // Metrics with one dimension per operator flag have too many dimensions to list.
    const dimensions =
      labels.length > 12 ? `${labels.length} flags` : labels.map((each) => `\`${each}\``).join(", ");
    return `| \`${metric}\` | ${help} | ${dimensions} |`;
  });
  return [`| metric | meaning | dimensions |\n|---|---|---|\n${rows.join("\n")}\n`];
}
