import { alertRule, prometheusRule } from "./alerts.ts";

interface Window {
  readonly long: string;
  readonly short: string;
  /**
   * Error rate at which the alert fires, as a multiple of the base rate. At the base rate, an error budget of 1 % is used up
   * exactly at the end of the budget's period.
   */
  readonly factor: string;
  readonly for: string;
  readonly severity: "critical" | "warning";
}

const probes = "/healthz|/livez|/readyz";
const [reads, writes] = ["LIST|GET", "POST|PUT|PATCH|DELETE"];

const basic: readonly Window[] = [
  { long: "1h", short: "5m", factor: "14.40", for: "2m", severity: "critical" },
  { long: "6h", short: "30m", factor: "6.00", for: "15m", severity: "critical" },
];
const extended: readonly Window[] = [
  { long: "1d", short: "2h", factor: "3.00", for: "1h", severity: "warning" },
  { long: "3d", short: "6h", factor: "1.00", for: "3h", severity: "warning" },
];

/**
 * Alerts for a fast consumption of the API servers' error budget. Clusters with several masters also have the alerts in
 * `extendedErrorBudget`, for slow consumption over days.
 */
export const basicErrorBudget = errorBudget(
  "kube-apiserver-slos-basic",
  basic,
  ["5m", "30m", "1h", "6h"],
  requestRules(),
);
export const extendedErrorBudget = errorBudget("kube-apiserver-slos-extended", extended, ["2h", "1d", "3d"]);

function errorBudget(
  name: string,
  windows: readonly Window[],
  durations: readonly string[],
  others: readonly object[] = [],
) {
  return prometheusRule(name, [
    {
      name,
      rules: windows.map(({ long, short, factor, for: pending, severity }) =>
        alertRule({
          alert: "KubeAPIErrorBudgetBurn",
          expr: `sum:apiserver_request:burnrate${long} > (${factor} * 0.01000) and sum:apiserver_request:burnrate${short} > (${factor} * 0.01000)`,
          for: pending,
          severity,
          labels: { long, short },
          summary: "Too many requests to the API servers fail or are slow.",
          description:
            "The error budget of the API servers is consumed too fast. Check the durations of requests.",
        }),
      ),
    },
    { name: "kube-apiserver.rules", rules: [...durations.flatMap(burnRates), ...others] },
  ]);
}

/** Returns the recording rules for dashboards: request rates and latency quantiles. */
function requestRules(): readonly object[] {
  const kinds = [
    ["read", reads],
    ["write", writes],
  ] as const;
  const buckets = (matchers: string) =>
    `rate(apiserver_request_duration_seconds_bucket{job="apiserver",${matchers}}[5m])`;
  const record = "cluster_quantile:apiserver_request_duration_seconds:histogram_quantile";
  const shortRequests = `subresource!="log",verb!~"LIST|WATCH|WATCHLIST|DELETECOLLECTION|PROXY|CONNECT"`;
  return [
    ...kinds.map(([verb, verbs]) => ({
      record: "code_resource:apiserver_request_total:rate5m",
      labels: { verb },
      expr: `sum by (code,resource) (rate(apiserver_request_total{job="apiserver",verb=~"${verbs}"}[5m]))`,
    })),
    ...kinds.map(([verb, verbs]) => ({
      record,
      labels: { quantile: "0.99", verb },
      expr: `histogram_quantile(0.99, sum by (le, resource) (${buckets(`verb=~"${verbs}"`)})) > 0`,
    })),
    ...["0.99", "0.9", "0.5"].map((quantile) => ({
      record,
      labels: { quantile },
      expr: `histogram_quantile(${quantile}, sum(${buckets(shortRequests)}) without(instance, pod))`,
    })),
  ];
}

function burnRates(duration: string): readonly object[] {
  const buckets = (matchers: string) =>
    `sum by (cluster) (rate(apiserver_request_sli_duration_seconds_bucket{job="apiserver",${matchers},subresource!~"proxy|attach|log|exec|portforward|${probes}"}[${duration}]))`;
  const failed = (verbs: string) =>
    `sum by (cluster) (rate(apiserver_request_total{job="apiserver",verb=~"${verbs}",subresource!~"${probes}",code=~"5.."}[${duration}]))`;
  const read = `verb=~"${reads}"`;
  const slowReads = `${buckets(`${read},le=~"60(.0)?"`)} - ((${buckets(`${read},scope=~"resource|",le=~"1(.0)?"`)} or vector(0)) + ${buckets(`${read},scope="namespace",le=~"5(.0)?"`)} + ${buckets(`${read},scope="cluster",le=~"30(.0)?"`)})`;
  const write = `verb=~"${writes}"`;
  const slowWrites = `${buckets(`${write},le=~"60(.0)?"`)} - ${buckets(`${write},le=~"1(.0)?"`)}`;
  return [
    {
      record: `apiserver_request:burn${duration}`,
      labels: { verb: "read" },
      expr: `(${slowReads}) + ${failed(reads)}`,
    },
    {
      record: `apiserver_request:burn${duration}`,
      labels: { verb: "write" },
      expr: `(${slowWrites}) + ${failed(writes)}`,
    },
    {
      record: `sum:apiserver_request:burnrate${duration}`,
      expr: `sum(apiserver_request:burn${duration}) / sum by (cluster) (rate(apiserver_request_total{job="apiserver",verb=~"${reads}|${writes}"}[${duration}]))`,
    },
  ];
}
