export { type ClusterAccess, clusterAccess } from "./fleet/cluster-access.ts";
export type { MetricSink } from "./metrics/metric-spec.ts";
export { type Monitor, type MonitorOptions, startMonitor } from "./start-monitor.ts";
