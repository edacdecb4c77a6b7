import { isPlainObject, listAt } from "@keelson/base";
import { portalErrors } from "../errors/portal-errors.ts";
import type { PrometheusEnvelope } from "./prometheus-response.ts";
import { durationSeconds, maxPoints } from "./query-points.ts";

/** Maximum number of series in one response to a browser. */
export const maxSeries = 500;
/** Maximum size of a response as JSON in bytes. */
const maxBytes = 5 * 2 ** 20;
/** Maximum evaluation time in seconds that the portal requests from Prometheus. */
const evaluationSeconds = 10;

/**
 * Keeps the first 500 series of a response, and adds a warning if further series were dropped.
 * @throws ClusterResponseTooLarge for a series with too many points, or a response that is too large
 */
export function limitSeries(envelope: PrometheusEnvelope): PrometheusEnvelope {
  const limited = firstSeries(envelope);
  if (listAt(limited.data, "result").some((series) => listAt(series, "values").length > maxPoints))
    throw portalErrors.ClusterResponseTooLarge(`A series of the result has more than ${maxPoints} points.`);
  if (Buffer.byteLength(JSON.stringify(limited)) > maxBytes)
    throw portalErrors.ClusterResponseTooLarge(
      "The result is larger than 5 MiB. Select fewer series, or increase 'step'.",
    );
  return limited;
}

function firstSeries(envelope: PrometheusEnvelope): PrometheusEnvelope {
  const { data, warnings = [] } = envelope;
  if (!isPlainObject(data) || !Array.isArray(data.result) || data.result.length <= maxSeries) return envelope;
  const warning = `The result has ${data.result.length} series. The first ${maxSeries} are shown.`;
  return {
    ...envelope,
    data: { ...data, result: data.result.slice(0, maxSeries) },
    warnings: [...warnings, warning],
  };
}

/** Sets the parameter for the evaluation time of a query. A shorter time in the query is not changed. */
export function limitEvaluation(path: string, search: string): string {
  const parameters = new URLSearchParams(search);
  if (!/^api\/v1\/query(_range)?$/.test(path)) return search;
  if (!(durationSeconds(parameters.get("timeout") ?? "") <= evaluationSeconds))
    parameters.set("timeout", `${evaluationSeconds}s`);
  return `?${parameters}`;
}
