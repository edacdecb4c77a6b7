import { isCoded } from "@keelson/base";
import { errors } from "../base/errors.ts";
import type { Response } from "./http-response.ts";
import type { FiringAlert } from "./metrics/alerts.ts";
import type { Value } from "./promql/binary.ts";
import { Evaluation } from "./promql/evaluate.ts";
import { parseDurationMs, parseQuery, parseSelector } from "./promql/parse.ts";
import { type Labels, matchesAll, type Series } from "./promql/series.ts";

/** Maximum number of steps per query, like Prometheus. */
const maxSteps = 11_000;

/** Serves queries and firing alerts of the Prometheus HTTP API, version 1. */
export async function servePrometheus(
  { pathname }: URL,
  parameters: URLSearchParams,
  now: Date,
  readSeries: () => Promise<readonly Series[]>,
  readAlerts: () => Promise<readonly FiringAlert[]>,
): Promise<Response> {
  if (pathname === "/-/ready") return { status: 200, text: "Prometheus Server is Ready.\n" };
  if (pathname === "/-/healthy") return { status: 200, text: "Prometheus Server is Healthy.\n" };
  try {
    const data =
      pathname === "/api/v1/alerts"
        ? { alerts: (await readAlerts()).map(render) }
        : await dataOf(pathname, parameters, now, readSeries);
    if (data === undefined) return { status: 404, text: "404 page not found\n" };
    return { status: 200, json: { status: "success", data } };
  } catch (error) {
    if (!isCoded(error, "BadQuery")) throw error;
    return { status: 400, json: { status: "error", errorType: "bad_data", error: error.message } };
  }
}

function render({ labels, summary, sinceMs }: FiringAlert): object {
  const activeAt = new Date(sinceMs).toISOString();
  return { labels, annotations: { summary }, state: "firing", activeAt, value: "1e+00" };
}

async function dataOf(
  pathname: string,
  parameters: URLSearchParams,
  now: Date,
  readSeries: () => Promise<readonly Series[]>,
): Promise<unknown> {
  const label = /^\/api\/v1\/label\/([a-zA-Z_][a-zA-Z0-9_]*)\/values$/.exec(pathname)?.[1];
  if (label !== undefined) {
    const labels = await selected(parameters, readSeries);
    return [...new Set(labels.flatMap((each) => each[label] ?? []))].sort();
  }
  switch (pathname) {
    case "/api/v1/query": {
      const expression = parseQuery(required(parameters, "query"));
      const ms = timeOf(parameters, "time") ?? now.getTime();
      return instantResult(new Evaluation(await readSeries()).at(expression, ms), ms);
    }
    case "/api/v1/query_range":
      return rangeResult(parameters, readSeries);
    case "/api/v1/series":
      if (!parameters.has("match[]")) throw errors.BadQuery("no match[] parameter provided");
      return selected(parameters, readSeries);
    case "/api/v1/labels": {
      const labels = await selected(parameters, readSeries);
      return [...new Set(labels.flatMap((each) => Object.keys(each)))].sort();
    }
    case "/api/v1/status/buildinfo":
      return { version: "2.55.1", revision: "", branch: "", buildUser: "", buildDate: "", goVersion: "" };
    default:
      return undefined;
  }
}

async function selected(
  parameters: URLSearchParams,
  readSeries: () => Promise<readonly Series[]>,
): Promise<readonly Labels[]> {
  const selectors = parameters.getAll("match[]").map(parseSelector);
  const series = await readSeries();
  return series
    .map(({ labels }) => labels)
    .filter((labels) => selectors.length === 0 || selectors.some((matchers) => matchesAll(labels, matchers)));
}

function instantResult(value: Value, ms: number): unknown {
  const time = ms / 1_000;
  if (typeof value === "number") return { resultType: "scalar", result: [time, shown(value)] };
  return {
    resultType: "vector",
    result: value.map((sample) => ({ metric: sample.labels, value: [time, shown(sample.value)] })),
  };
}

async function rangeResult(
  parameters: URLSearchParams,
  readSeries: () => Promise<readonly Series[]>,
): Promise<unknown> {
  const expression = parseQuery(required(parameters, "query"));
  const startMs = requiredTime(parameters, "start");
  const endMs = requiredTime(parameters, "end");
  const stepMs = parseDurationMs(required(parameters, "step"));
  if (endMs < startMs) throw errors.BadQuery("end timestamp must not be before start time");
  if (stepMs <= 0) throw errors.BadQuery("zero or negative query resolution step widths are not accepted");
  if ((endMs - startMs) / stepMs > maxSteps) {
    throw errors.BadQuery(
      "exceeded maximum resolution of 11,000 points per timeseries. Try decreasing the query resolution (?step=XX)",
    );
  }
  const evaluation = new Evaluation(await readSeries());
  const bySeries = new Map<string, { metric: Labels; values: (readonly [number, string])[] }>();
  for (let ms = startMs; ms <= endMs; ms += stepMs) {
    const value = evaluation.at(expression, ms);
    const samples = typeof value === "number" ? [{ labels: {}, value }] : value;
    for (const sample of samples) {
      const key = JSON.stringify(sample.labels);
      const found = bySeries.get(key) ?? { metric: sample.labels, values: [] };
      bySeries.set(key, found);
      found.values.push([ms / 1_000, shown(sample.value)]);
    }
  }
  return { resultType: "matrix", result: [...bySeries.values()] };
}

function shown(value: number): string {
  if (value === Infinity) return "+Inf";
  return value === -Infinity ? "-Inf" : String(value);
}

function required(parameters: URLSearchParams, name: string): string {
  const value = parameters.get(name);
  if (value === null || value === "") throw errors.BadQuery(`invalid parameter "${name}": it is missing`);
  return value;
}

function requiredTime(parameters: URLSearchParams, name: string): number {
  required(parameters, name);
  return timeOf(parameters, name) ?? 0;
}

/** Parses a time parameter in Unix seconds or RFC 3339. Returns milliseconds. */
function timeOf(parameters: URLSearchParams, name: string): number | undefined {
  const text = parameters.get(name);
  if (text === null) return undefined;
  const ms = /^-?\d+(\.\d+)?$/.test(text) ? Number(text) * 1_000 : Date.parse(text);
  if (Number.isNaN(ms)) throw errors.BadQuery(`invalid parameter "${name}": cannot parse a time`);
  return ms;
}
