import { isPlainObject } from "@keelson/base";
import type { PrometheusEnvelope } from "./prometheus-response.ts";

/** Maximum number of series of a query that the portal sends to a browser. */
export const maxSeries = 500;
/** Evaluation time limit that the portal requests from Prometheus. */
const evaluationLimit = "10s";

/** Keeps the first 500 series of a query and adds a warning about dropped series. */
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

/** Adds the evaluation time limit to the parameters if they contain none. */
export function limitEvaluation(path: string, search: string): string {
  const parameters = new URLSearchParams(search);
  if (!/^api\/v1\/query(_range)?$/.test(path) || parameters.has("timeout")) return search;
  parameters.set("timeout", evaluationLimit);
  return `?${parameters}`;
}
