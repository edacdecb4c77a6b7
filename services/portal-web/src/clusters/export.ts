import type { ClusterSummary } from "@keelson/portal-api";
import { stateOf } from "./cluster-rows.ts";
import { healthAt, healthPhrases, healthWord } from "./health.ts";

/** Returns the names and values of the fields that the exported file contains for one cluster. */
function fieldsOf(cluster: ClusterSummary, nowMs: number) {
  const health = healthAt(cluster, nowMs);
  return {
    name: cluster.name,
    subscription: cluster.subscription,
    resourceGroup: cluster.resourceGroup,
    region: cluster.location ?? "",
    version: cluster.version,
    createdAt: cluster.createdAt,
    provisionedBy: cluster.provisionedBy,
    state: stateOf(cluster),
    health: healthWord(health),
    problems: healthPhrases(health),
    observedAt: health.observedAt ?? "",
    certificateDays: health.certificateDays ?? null,
    resourceId: cluster.resourceId,
  };
}

/** Returns the clusters as a JSON array. */
export function clustersJson(clusters: readonly ClusterSummary[], nowMs: number): string {
  return `${JSON.stringify(
    clusters.map((cluster) => fieldsOf(cluster, nowMs)),
    undefined,
    2,
  )}\n`;
}

/** Returns the clusters as comma-separated values (RFC 4180). The first line contains the field names. */
export function clustersCsv(clusters: readonly ClusterSummary[], nowMs: number): string {
  const rows = clusters.map((cluster) => fieldsOf(cluster, nowMs));
  const names = Object.keys(rows[0] ?? {});
  const lines = rows.map((row) =>
    Object.values(row)
      .map((value) => (Array.isArray(value) ? value.join("; ") : `${value ?? ""}`))
      .map(csvField)
      .join(","),
  );
  return [names.join(","), ...lines, ""].join("\r\n");
}

/** Matches field values that spreadsheets would evaluate as formulas. */
const formula = /^[=+\-@\t\r]/;

function csvField(text: string): string {
  const safe = formula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
