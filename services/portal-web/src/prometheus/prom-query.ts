import { queryStepSeconds } from "@keelson/portal-api/query-step";
import { type DurationName, durationMs, parseDurationName, parseEndTime } from "../statistics/durations.ts";

export type PromView = "table" | "graph";

/** Query on the Prometheus page. The page's URL contains all of its fields. */
export interface PromQuery {
  readonly query: string;
  readonly view: PromView;
  readonly duration: DurationName;
  /** RFC 3339. */
  readonly endTime: string;
}

/** Parses a query from the URL parameters of the page. If the end time is missing, `now` is used. */
export function parsePromQuery(search: URLSearchParams, now: string): PromQuery {
  return {
    query: search.get("query") ?? "",
    view: search.get("view") === "graph" ? "graph" : "table",
    duration: parseDurationName(search.get("duration")),
    endTime: parseEndTime(search.get("end")) ?? now,
  };
}

/** Returns the path and parameters of the request, relative to `/prometheus`. */
export function promTarget({ query, view, duration, endTime }: PromQuery): string {
  if (view === "table") return `api/v1/query?${new URLSearchParams({ query, time: endTime })}`;
  const rangeMs = durationMs(duration);
  const start = new Date(Date.parse(endTime) - rangeMs).toISOString();
  const step = `${queryStepSeconds(rangeMs)}`;
  return `api/v1/query_range?${new URLSearchParams({ query, start, end: endTime, step })}`;
}

export interface Example {
  readonly title: string;
  readonly query: string;
}

/** Example queries. Every cluster of the service can evaluate them. */
export const examples: readonly Example[] = [
  { title: "Targets that are down", query: "up == 0" },
  { title: "Firing alerts", query: 'ALERTS{alertstate="firing"}' },
  { title: "CPU of API servers", query: 'rate(process_cpu_seconds_total{job="apiserver"}[5m])' },
  {
    title: "Requests with errors by code",
    query: 'sum(rate(apiserver_request_total{code=~"[45].."}[10m])) by (code)',
  },
];
