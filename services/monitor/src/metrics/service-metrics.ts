import type { Metrics } from "@keelson/base";

/** What the monitor says of itself. */
export function serviceMetrics(metrics: Metrics) {
  return {
    heartbeat: metrics.gauge({
      name: "monitor_heartbeat",
      help: "1 while the monitor knows the clusters and has its share of them.",
      labels: ["version"],
      emits: [{ metric: "monitor.heartbeat", value: "observed" }],
    }),
    active: metrics.gauge({
      name: "monitor_workers_active_count",
      help: "Passes over clusters that run now.",
      emits: [{ metric: "monitor.workers.active.count", value: "observed" }],
    }),
    cacheSize: metrics.gauge({
      name: "monitor_cache_size",
      help: "Documents that the monitor knows.",
      labels: ["cache"],
      emits: [{ metric: "monitor.cache.size", value: "observed" }],
    }),
  };
}
