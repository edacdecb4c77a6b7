import { apiServerHealth, apiServerPing } from "../cluster/cluster-health.ts";
import type { Collector } from "../cluster/collector.ts";
import { provisioning } from "../cluster/collectors/provisioning.ts";
import { hiveMetrics } from "../hive/hive-monitor.ts";
import type { MetricSpecs } from "../metrics/metric-spec.ts";
import { passMetrics } from "../metrics/monitor-metrics.ts";
import { nsgMetrics } from "../nsg/nsg-monitor.ts";

/** Returns the declarations of all cluster metrics. */
export function metricSpecs(collectors: readonly Collector[]): MetricSpecs {
  const ofCollectors = [provisioning, apiServerHealth, apiServerPing, ...collectors].map(
    ({ metrics }) => metrics,
  );
  return Object.assign({}, ...ofCollectors, passMetrics, hiveMetrics, nsgMetrics);
}
