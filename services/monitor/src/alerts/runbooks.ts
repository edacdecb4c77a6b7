import type { Alert, AlertGroup } from "./alert.ts";
import { alertGroups } from "./alert-groups.ts";
import { expressionOf } from "./alert-rules.ts";
import { drillsChapter } from "./drills.ts";
import type { OwnAlert } from "./own-alert.ts";
import { ownAlertGroups } from "./own-alerts.ts";
import { allCollectors, seriesOf } from "./series.ts";

const introduction = `# Runbooks

<!-- Made from services/monitor/src/alerts by \`make generate\`: do not edit. -->

Find an alert of [deploy/monitoring/rules.yaml](../deploy/monitoring/rules.yaml) here, with its meaning and the steps to fix its cause. Each chapter also lists
the metrics without alerts. [Alerts of the service itself](#objectives-of-the-service), [drills](#drills) and [losses](#losses) are at the end.

A Prometheus that scrapes the monitors evaluates the alerts. [deploy/monitoring/dashboard.json](../deploy/monitoring/dashboard.json) shows the metrics in
Grafana. In statsd and OpenTelemetry, a metric has the name in the first column. It has the dimensions \`resourceId\`, \`subscriptionId\`, \`resourceGroup\` and
\`resourceName\`, and its own dimensions. Routes such as \`GET resources\` belong to [the admin API](admin-actions.md), below a cluster's resource ID.
`;

/** Renders `docs/runbooks.md`. */
export function runbooks(): string {
  return [introduction, ...alertGroups.map(chapter), ownChapters(), drillsChapter()].join("\n");
}

/** Renders the runbooks for the portal's pages by alert name. Code is in backticks. */
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
function ownChapters(): string {
  return ownAlertGroups
    .map(({ title, alerts }) => [`## ${title}\n`, ...alerts.map(ownSection)].join("\n"))
    .join("\n");
}

function ownSection({ name, expression, forMinutes, severity, summary, meaning, actions }: OwnAlert): string {
  const wait = forMinutes === 0 ? "immediately" : `after ${forMinutes} minutes`;
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

/** Returns the metrics of a group. The metrics of its alerts are first. */
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
  const wait = forMinutes === 0 ? "immediately" : `after ${forMinutes} minutes`;
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

/** Returns a summary without its placeholders. */
function plain(summary: string): string {
  return summary
    .replace(/\{\{ \$labels\.(\w+) \}\}/g, (_, label: string) => `*${label}*`)
    .replace("{{ $value }}", "*N*");
}

function metricTable(metrics: readonly string[]): readonly string[] {
  if (metrics.length === 0) return [];
  const rows = metrics.map((metric) => {
    const { help, labels } = seriesOf(metric);
    // Metrics with one dimension per operator flag have no list of dimensions here.
    const dimensions =
      labels.length > 12 ? `${labels.length} flags` : labels.map((each) => `\`${each}\``).join(", ");
    return `| \`${metric}\` | ${help} | ${dimensions} |`;
  });
  return [`| metric | meaning | dimensions |\n|---|---|---|\n${rows.join("\n")}\n`];
}
