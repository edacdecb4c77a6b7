import type { Metrics } from "@keelson/base";

const ofCluster = ["resourceId", "location", "subscriptionId"] as const;

/** What the monitor says of itself. */
export function serviceMetrics(metrics: Metrics) {
  const trouble = (metric: string, help: string) =>
    metrics.counter({
      name: `${metric.replaceAll(".", "_")}_total`,
      help,
      labels: ofCluster,
      emits: [{ metric, value: "one" }],
    });
  return {
    timedOut: trouble("monitor.main.timedout", "Passes that took longer than they may."),
    forcedCleanup: trouble(
      "monitor.main.forcedcleanup",
      "Passes that did not even end when they were stopped.",
    ),
    notReached: trouble("monitor.main.notreached", "Passes without a kubeconfig to reach the cluster with."),
    broken: {
      cluster: trouble("monitor.cluster.failedworker", "Passes that broke."),
      hive: trouble("monitor.hive.failedworker", "Readings of Hive that broke."),
      nsg: trouble("monitor.nsg.failedworker", "Checks of security groups that broke."),
    },
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

export type ServiceMetrics = ReturnType<typeof serviceMetrics>;
