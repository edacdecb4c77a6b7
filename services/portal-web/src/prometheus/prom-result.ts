import type { PromEnvelope } from "../api/queries.ts";
import type { Point, Series } from "../statistics/scale.ts";

/** Result of a query. For an instant query, each series has exactly one point. */
export interface PromResult {
  readonly series: readonly Series[];
  readonly warnings: readonly string[];
  /** Value of a scalar or string result. */
  readonly text?: string;
}

/** Parses a response of the Prometheus HTTP API. Elements in an unknown format are ignored. */
export function parsePromResult({ data, warnings = [] }: PromEnvelope): PromResult {
  const { resultType, result } = data ?? {};
  if (!Array.isArray(result)) return { series: [], warnings };
  if (resultType === "scalar" || resultType === "string")
    return { series: [], warnings, text: String(result[1]) };
  return { series: result.flatMap((each: unknown) => seriesOf(each) ?? []), warnings };
}

function seriesOf(element: unknown): Series | undefined {
  if (typeof element !== "object" || element === null || !("metric" in element)) return undefined;
  const pairs = "values" in element ? element.values : "value" in element ? [element.value] : [];
  if (!Array.isArray(pairs)) return undefined;
  return { name: seriesName(element.metric), points: pairs.flatMap((pair: unknown) => pointOf(pair) ?? []) };
}

function pointOf(pair: unknown): Point | undefined {
  if (!Array.isArray(pair)) return undefined;
  const [seconds, text] = pair;
  const value = Number(String(text).replace("Inf", "Infinity"));
  return typeof seconds === "number" && !Number.isNaN(value) ? { ms: seconds * 1_000, value } : undefined;
}

/** Formats labels like Prometheus: `up{job="apiserver"}`. */
export function seriesName(metric: unknown): string {
  if (typeof metric !== "object" || metric === null) return "{}";
  const { __name__: name = "", ...labels } = metric as Readonly<Record<string, unknown>>;
  const pairs = Object.entries(labels).map(([label, value]) => `${label}=${JSON.stringify(String(value))}`);
  return pairs.length === 0 && name !== "" ? String(name) : `${name}{${pairs.join(", ")}}`;
}
