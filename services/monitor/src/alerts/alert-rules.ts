import type { Alert, AlertGroup } from "./alert.ts";
import { alertGroups } from "./alert-groups.ts";
import { type Series, seriesOf } from "./series.ts";

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

export interface RuleGroup {
  readonly name: string;
  readonly rules: readonly Rule[];
}

/** Labels of every metric of a cluster. Metrics about the monitor's own work on a cluster contain only the cluster's ID. */
const ofCluster = ["resourceId", "resourceName"];

/** Returns the rules for Prometheus. */
export function alertRules(): { readonly groups: readonly RuleGroup[] } {
  const groups = alertGroups.filter(({ alerts }) => alerts.length > 0);
  return { groups: groups.map(ruleGroup) };
}

function ruleGroup({ name, alerts }: AlertGroup): RuleGroup {
  return { name, rules: alerts.map(ruleOf) };
}

function ruleOf(alert: Alert): Rule {
  const { name, forMinutes, severity, summary, meaning } = alert;
  return {
    alert: name,
    expr: expressionOf(alert),
    ...(forMinutes === 0 ? {} : { for: `${forMinutes}m` }),
    labels: { severity },
    annotations: {
      summary: `${subjectOf(alert)}${summary}`,
      description: meaning,
      runbook_url: `${runbookBase}docs/runbooks.md#${name.toLowerCase()}`,
    },
  };
}

/** Prefix of runbook URLs. The base URL of the documents is in Prometheus's external label `runbook_base_url`. */
export const runbookBase = "{{ with $externalLabels.runbook_base_url }}{{ . }}/{{ end }}";

/**
 * Returns the template for the start of a summary. The template names the cluster. Metrics about the monitor's own work on a
 * cluster contain only the cluster's ID.
 */
function subjectOf({ metric }: Alert): string {
  const { isOfMonitor, labels } = seriesOf(metric);
  if (isOfMonitor) return "";
  return labels.includes("resourceId") ? "{{ $labels.resourceId }}: " : "{{ $labels.resourceName }}: ";
}

/**
 * Returns the PromQL expression of an alert. The expression aggregates over the monitor's labels, which differ between monitors.
 * Without this aggregation, the alert's waiting time would restart when a cluster moves to a different monitor.
 */
export function expressionOf({
  metric,
  where = {},
  except = [],
  unless,
  by = [],
  risenWithin,
  condition,
}: Alert): string {
  const found = seriesOf(metric);
  if (metric === "monitor.heartbeat") return `sum(${found.series}) ${condition} or absent(${found.series})`;
  const selected = selectorOf(found, where);
  const excluded = unless
    ? [
        `on (resourceId, ${unless.on.join(", ")}) ALERTS{alertname=~"${unless.alerts.join("|")}",alertstate="firing"}`,
      ]
    : [];
  const exceptions = [...except.map((each) => selectorOf(found, each)), ...excluded];
  const counted = [selected, ...exceptions].join(" unless ");
  const value = risenWithin ? rise(found, selected, risenWithin) : counted;
  const labels = found.isOfMonitor ? by : [...ofCluster, ...by];
  return `max${labels.length === 0 ? "" : ` by (${labels.join(", ")}) `}(${value}) ${condition}`;
}

function selectorOf({ series }: Series, where: Readonly<Record<string, string>>): string {
  const matchers = Object.entries(where).map(([label, matcher]) => `${label}${matcher}`);
  return `${series}${matchers.length === 0 ? "" : `{${matchers.join(",")}}`}`;
}

function rise({ isCounter }: Series, selected: string, within: string): string {
  return `${isCounter ? "increase" : "delta"}(${selected}[${within}])`;
}
