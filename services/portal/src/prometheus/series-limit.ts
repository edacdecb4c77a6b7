import { isPlainObject } from "@keelson/base";
import type { PrometheusEnvelope } from "./prometheus-response.ts";

/** Maximum number of series of a query that the portal sends to a browser. */
export const maxSeries = 500;
/** Evaluation limit that a query requests from Prometheus. */
const evaluationLimit = "10s";

/** Keeps the first 500 series of a query, with a warning about the others. */
export function limitSeries(envelope: PrometheusEnvelope): PrometheusEnvelope {
  const { data, warnings = [] } = envelope;
  if (!isPlainObject(data) || !Array.isArray(data.result) || data.result.length <= maxSeries) return envelope;
  const warning = `The result has ${data.result.length} series. The first ${maxSeries} are shown.`;
  return {
    ...envelope,
    data: { ...data, result: data.result.slice(0, maxSeries) },
    warnings: [...warnings, warning],
  };
}

/** Adds the evaluation limit to the parameters of a query without one. */
export function limitEvaluation(path: string, search: string): string {
  const parameters = new URLSearchParams(search);
  if (!/^api\/v1\/query(_range)?$/.test(path) || parameters.has("timeout")) return search;
  parameters.set("timeout", evaluationLimit);
  return `?${parameters}`;
}
