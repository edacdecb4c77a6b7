import { isPlainObject, listAt, objectAt, stringAt } from "@keelson/base";
import type { ClusterAlerts, FiringAlert } from "@keelson/portal-api";
import type { PrometheusEnvelope } from "./prometheus-response.ts";

/** Path of the alerts in the Prometheus HTTP API. */
export const alertsTarget = "/api/v1/alerts";

const maxAlerts = 500;
const maxName = 256;
const maxText = 2_048;
const maxLabels = 32;

/**
 * Returns the firing alerts in a Prometheus response. The cluster is not trusted, so only known fields are copied, and the length
 * of strings and lists is limited.
 */
export function alertsOf({ data }: PrometheusEnvelope): ClusterAlerts {
  const firing = listAt(data, "alerts").filter((alert) => stringAt(alert, "state") === "firing");
  return { total: firing.length, alerts: firing.slice(0, maxAlerts).map(alertOf) };
}

function alertOf(alert: unknown): FiringAlert {
  const labels = objectAt(alert, "labels");
  const annotation = (name: string) => bounded(stringAt(alert, "annotations", name), maxText);
  const runbookUrl = httpsUrl(annotation("runbook_url"));
  const sinceMs = Date.parse(stringAt(alert, "activeAt") ?? "");
  return {
    name: bounded(labels.alertname, maxName),
    severity: bounded(labels.severity, maxName),
    namespace: bounded(labels.namespace, maxName),
    summary: annotation("summary"),
    description: annotation("description") || annotation("message"),
    ...(runbookUrl === undefined ? {} : { runbookUrl }),
    ...(Number.isNaN(sinceMs) ? {} : { since: new Date(sinceMs).toISOString() }),
    labels: otherLabels(labels),
  };
}

const shown = new Set(["alertname", "severity", "namespace"]);

function otherLabels(labels: unknown): Record<string, string> {
  if (!isPlainObject(labels)) return {};
  const entries = Object.entries(labels)
    .filter(([name, value]) => !shown.has(name) && typeof value === "string")
    .slice(0, maxLabels)
    .map(([name, value]) => [bounded(name, maxName), bounded(value, maxName)]);
  return Object.fromEntries(entries);
}

function bounded(value: unknown, length: number): string {
  return typeof value === "string" ? value.slice(0, length) : "";
}

/**
 * Returns the URL if it is an https URL without credentials. Returns undefined for other strings, because customers can set any
 * string as the runbook of an alert.
 */
function httpsUrl(text: string): string | undefined {
  const url = URL.parse(text);
  return url?.protocol === "https:" && url.username === "" && url.password === "" ? url.href : undefined;
}
