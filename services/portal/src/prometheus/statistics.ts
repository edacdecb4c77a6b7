import { isPlainObject, listAt, objectAt } from "@keelson/base";
import type { Statistics, StatisticsType } from "@keelson/portal-api";
import { maxSeries } from "./series-limit.ts";

interface Query {
  readonly promql: string;
  /** Labels that form the name of a series. */
  readonly labels: readonly string[];
}

const perJob = (metric: string, job: string) => ({ promql: `${metric}{job="${job}"}`, labels: ["instance"] });
const cpuOf = (job: string) => ({
  promql: `rate(process_cpu_seconds_total{job="${job}"}[5m])`,
  labels: ["instance"],
});
const p95Of = (metric: string) => ({
  promql: `histogram_quantile(0.95, sum(rate(${metric}_bucket[5m])) by (le, pod))`,
  labels: ["pod"],
});
const kcm = "kube-controller-manager";

/** Prometheus query for each type of statistics. The types come from Azure/ARO-RP pkg/portal/prometheus. */
export const statisticsQueries: Readonly<Record<StatisticsType, Query>> = {
  kubeapicodes: {
    promql: 'sum(rate(apiserver_request_total{job="apiserver",code=~"[45].."}[10m])) by (code, verb)',
    labels: ["code", "verb"],
  },
  kubeapicpu: cpuOf("apiserver"),
  kubeapimemory: perJob("process_resident_memory_bytes", "apiserver"),
  kubecontrollermanagercodes: {
    promql: `sum(rate(rest_client_requests_total{job="${kcm}"}[5m])) by (code)`,
    labels: ["code"],
  },
  kubecontrollermanagercpu: cpuOf(kcm),
  kubecontrollermanagermemory: perJob("process_resident_memory_bytes", kcm),
  dnsresponsecodes: {
    promql: "sum(rate(coredns_dns_responses_total[5m])) by (rcode)",
    labels: ["rcode"],
  },
  dnserrorrate: {
    promql:
      'sum(rate(coredns_dns_responses_total{rcode=~"SERVFAIL|NXDOMAIN"}[5m])) by (pod) / ' +
      'sum(rate(coredns_dns_responses_total{rcode="NOERROR"}[5m])) by (pod)',
    labels: ["pod"],
  },
  dnshealthcheck: {
    promql:
      "histogram_quantile(0.99, sum(rate(coredns_health_request_duration_seconds_bucket[5m])) by (le, pod))",
    labels: ["pod"],
  },
  dnsforwardedtraffic: p95Of("coredns_forward_request_duration_seconds"),
  dnsalltraffic: p95Of("coredns_dns_request_duration_seconds"),
  ingresscontrollercondition: {
    promql: "sum(ingress_controller_conditions) by (condition)",
    labels: ["condition"],
  },
};

const maxPoints = 11_000;

/**
 * Returns the series of a Prometheus response to a range query.
 * @throws Error for other responses
 */
export function seriesOf(body: unknown, { labels }: { readonly labels: readonly string[] }): Statistics {
  const result = isPlainObject(body) && isPlainObject(body.data) ? body.data.result : undefined;
  if (!Array.isArray(result)) throw new Error("Prometheus returned no series");
  return result.slice(0, maxSeries).map((series: unknown) => {
    const metric = objectAt(series, "metric");
    const values = listAt(series, "values");
    return {
      metricname:
        labels
          .map((label) => `${metric[label] ?? ""}`)
          .join(" ")
          .trim() || "total",
      metricvalue: values.slice(0, maxPoints).flatMap(pointOf),
    };
  });
}

/** Returns the chart point for a value. `NaN` and `+Inf` result in no point, because JSON cannot represent them. */
function pointOf(pair: unknown): Statistics[number]["metricvalue"] {
  if (!Array.isArray(pair)) return [];
  const [seconds, text] = pair;
  const value = Number(text);
  if (typeof seconds !== "number" || !Number.isFinite(value)) return [];
  return [{ timestamp: new Date(seconds * 1_000).toISOString(), value }];
}
