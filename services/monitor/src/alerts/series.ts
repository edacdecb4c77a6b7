import { apiServerHealth, apiServerPing } from "../cluster/cluster-health.ts";
import type { Collector } from "../cluster/collector.ts";
import { provisioning } from "../cluster/collectors/provisioning.ts";
import { clusterCollectors } from "../fleet/collectors.ts";
import { metricSpecs } from "../fleet/metric-specs.ts";
import { gaugeName } from "../metrics/cluster-gauges.ts";
import { serviceMetricSpecs } from "../metrics/service-metrics.ts";

/** Metric in the format of Prometheus. */
export interface Series {
  readonly metric: string;
  readonly series: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly isCounter: boolean;
  /** True for a metric of the monitor itself. False for a metric of a cluster. */
  readonly isOfMonitor: boolean;
}

/** The declarations of the collectors do not depend on the configuration, so placeholder values suffice. */
const collectors = clusterCollectors({ buildId: "", zone: "", podNamespaces: [] });

export const allCollectors: readonly Collector[] = [
  provisioning,
  apiServerHealth,
  apiServerPing,
  ...collectors,
];

/** All metrics of clusters and of the monitor itself. */
export const allSeries: ReadonlyMap<string, Series> = new Map(
  [
    ...Object.entries(metricSpecs(collectors)).map(([metric, { help, dimensions }]) => ({
      metric,
      series: gaugeName(metric),
      help,
      labels: dimensions,
      isCounter: false,
      isOfMonitor: false,
    })),
    ...Object.entries(serviceMetricSpecs).map(([metric, { help, labels, isCounter }]) => ({
      metric,
      series: `${metric.replaceAll(".", "_")}${isCounter ? "_total" : ""}`,
      help,
      labels,
      isCounter,
      isOfMonitor: !labels.some((label) => label === "resourceId"),
    })),
  ].map((each) => [each.metric, each]),
);

/**
 * Returns the declaration of a metric.
 * @throws Error for an undeclared metric
 */
export function seriesOf(metric: string): Series {
  const series = allSeries.get(metric);
  if (!series) throw new Error(`no metric ${metric}`);
  return series;
}
