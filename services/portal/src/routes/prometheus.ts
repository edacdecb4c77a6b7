import type { IncomingMessage } from "node:http";
import { parseGoDuration, withTimeout } from "@keelson/base";
import type { KubeClient } from "@keelson/kube";
import type { StatisticsType } from "@keelson/portal-api";
import { queryStepSeconds } from "@keelson/portal-api/query-step";
import { getCluster } from "../clusters/find-cluster.ts";
import { clusterFailure, portalErrors } from "../errors/portal-errors.ts";
import {
  clusterPath,
  type PortalContext,
  type PortalResponse,
  type PortalRoute,
  route,
} from "../http/portal-route.ts";
import { alertsOf, alertsTarget } from "../prometheus/alerts.ts";
import { askPrometheus, type PrometheusRequest } from "../prometheus/prometheus.ts";
import { type PrometheusEnvelope, readPrometheusResponse } from "../prometheus/prometheus-response.ts";
import { checkPoints } from "../prometheus/query-points.ts";
import { isReadOnly } from "../prometheus/read-only-api.ts";
import { limitEvaluation, limitSeries } from "../prometheus/series-limit.ts";
import { seriesOf, statisticsQueries } from "../prometheus/statistics.ts";
import type { ClusterDataDeps } from "./cluster-data.ts";

const askMs = 30_000;
/**
 * Time limit of a query in ms. It is longer than the evaluation time limit of 10 s, so that the portal receives the timeout error
 * of Prometheus.
 */
const queryMs = 12_000;
const root = `${clusterPath.resource}/prometheus`;
/** Maximum time range in days: eight weeks. */
const maxDurationDays = 56;

/** Routes for the Prometheus of clusters. They serve queries of people, and the series of the statistics pages. */
export function prometheusRoutes(deps: ClusterDataDeps): readonly PortalRoute[] {
  const proxied = (path: string): PortalRoute => ({
    method: "GET",
    path: `${root}/${path}`,
    carriesClusterData: true,
    handle: (context) => respond(deps, context),
  });
  return [
    {
      method: "GET",
      path: `${clusterPath.data}/statistics/{type}`,
      carriesClusterData: true,
      handle: (context) => statistics(deps, context),
    },
    {
      method: "GET",
      path: `${clusterPath.data}/alerts`,
      carriesClusterData: true,
      handle: async (context) => ({
        status: 200,
        json: alertsOf(await readEnvelope(deps, context, alertsTarget)),
      }),
    },
    proxied("-/{*}"),
    proxied("api/{*}"),
    route("GET", root, ({ url }) => ({
      status: 307,
      headers: { location: `${url.pathname}/${url.search}` },
    })),
  ];
}

async function statistics(deps: ClusterDataDeps, context: PortalContext): Promise<PortalResponse> {
  const { parameter, url } = context;
  const type = typeOf(parameter("type"));
  const duration = parseGoDuration(url.searchParams.get("duration") ?? "");
  if (duration.kind === "problem" || duration.ms <= 0 || duration.ms > maxDurationDays * 86_400_000)
    throw portalErrors.BadRequest(
      `'duration' must be a duration such as 1h, of at most ${maxDurationDays} days.`,
    );
  const end = Date.parse(rfc3339(url.searchParams.get("endtime") ?? ""));
  if (Number.isNaN(end)) throw portalErrors.BadRequest("'endtime' must be a time in RFC 3339.");
  const query = statisticsQueries[type];
  const parameters = new URLSearchParams({
    query: query.promql,
    start: new Date(end - duration.ms).toISOString(),
    end: new Date(end).toISOString(),
    step: `${queryStepSeconds(duration.ms)}`,
  });
  const target = `/api/v1/query_range?${parameters}`;
  return { status: 200, json: seriesOf(await readEnvelope(deps, context, target), query) };
}

/**
 * Reads a successful response of the cluster's Prometheus.
 * @throws ClusterFailed
 */
function readEnvelope(
  deps: ClusterDataDeps,
  context: PortalContext,
  target: string,
): Promise<PrometheusEnvelope> {
  return withPrometheus(deps, context, async (kube, signal) => {
    const response = await askPrometheus(kube, { method: "GET", target }, signal);
    const envelope = await readPrometheusResponse(kube, response, target, signal);
    if (response.statusCode !== 200)
      throw portalErrors.ClusterFailed(`Prometheus responded with ${response.statusCode}.`);
    return envelope;
  });
}

function typeOf(text: string): StatisticsType {
  if (isStatisticsType(text)) return text;
  const types = Object.keys(statisticsQueries).join(", ");
  throw portalErrors.BadRequest(`There are no such statistics. There are: ${types}.`);
}

function isStatisticsType(text: string): text is StatisticsType {
  return Object.hasOwn(statisticsQueries, text);
}

/** Returns a time if its format is RFC 3339, and an empty string if it is not. `Date.parse` would also accept other formats. */
function rfc3339(text: string): string {
  return /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(text) ? text : "";
}

/** Forwards a read request to Prometheus. The caller's cookies, credentials and referrer are removed. */
async function respond(deps: ClusterDataDeps, context: PortalContext): Promise<PortalResponse> {
  const { url, method } = context;
  const path = url.pathname.split("/").slice(10).join("/");
  if (!isReadOnly(method, path))
    throw portalErrors.Forbidden("Only read requests are forwarded to Prometheus.");
  checkPoints(path, url.search);
  const request: PrometheusRequest = {
    method: "GET",
    limitMs: queryMs,
    target: `/${path}${limitEvaluation(path, url.search)}`,
    headers: { accept: "application/json" },
  };
  return withPrometheus(deps, context, async (kube, signal) => {
    const response = await askPrometheus(kube, request, signal);
    if (path.startsWith("-/")) return health(path, response);
    const envelope = await readPrometheusResponse(kube, response, request.target, signal);
    return { status: response.statusCode ?? 502, json: limitSeries(envelope) };
  });
}

/** Returns the standard responses of Prometheus for `-/ready` and `-/healthy`. The cluster's own response body is ignored. */
function health(path: string, response: IncomingMessage): PortalResponse {
  response.destroy();
  if (response.statusCode !== 200) return { status: 503, text: "Service Unavailable\n" };
  return {
    status: 200,
    text: path === "-/ready" ? "Prometheus Server is Ready.\n" : "Prometheus Server is Healthy.\n",
  };
}

/**
 * Calls a function with a client for the cluster's Prometheus. The client uses a service account with few permissions, because
 * the SREs' user is not allowed to forward ports.
 */
async function withPrometheus<T>(
  { database, endpoints }: ClusterDataDeps,
  context: PortalContext,
  ask: (kube: KubeClient, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const document = await getCluster(database, context);
  try {
    const signal = withTimeout(context.signal, askMs);
    const { prometheus } = endpoints.get(document, true);
    return await prometheus.use((kube) => ask(kube, signal), signal);
  } catch (error) {
    throw clusterFailure(error);
  }
}
