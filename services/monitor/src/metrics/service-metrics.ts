import type { Metrics } from "@keelson/base";
import { limitExceededMetric } from "@keelson/kube";

const ofCluster = ["resourceId", "location", "subscriptionId"] as const;

function perCluster(help: string) {
  return { help, labels: ofCluster, isCounter: true } as const;
}

/** Metrics of the monitor itself. The keys are their statsd names. */
export const serviceMetricSpecs = {
  "monitor.main.timedout": perCluster("Passes that exceeded their time limit."),
  "monitor.main.forcedcleanup": perCluster("Passes that did not end after their abort."),
  "monitor.main.notreached": perCluster("Passes without a usable kubeconfig of the cluster."),
  "monitor.cluster.failedworker": perCluster("Passes that failed with an internal error."),
  "monitor.hive.failedworker": perCluster("Reads of Hive that failed with an internal error."),
  "monitor.nsg.failedworker": perCluster("Checks of security groups that failed with an internal error."),
  "monitor.heartbeat": {
    help: "1 while the monitor has loaded the clusters and owns its share of them.",
    labels: ["version"],
    isCounter: false,
  },
  "monitor.workers.active.count": {
    help: "Running passes over clusters.",
    labels: [],
    isCounter: false,
  },
  "monitor.workers.waiting.count": {
    help: "Due passes over clusters that wait for the end of other passes.",
    labels: [],
    isCounter: false,
  },
  "monitor.workers.late": {
    help: "Passes that began more than a sixth of their period late.",
    labels: [],
    isCounter: true,
  },
  "monitor.cache.size": {
    help: "Documents in the cache of the monitor.",
    labels: ["cache"],
    isCounter: false,
  },
  "monitor.cluster.limit.exceeded": {
    help: limitExceededMetric.help,
    labels: limitExceededMetric.labels,
    isCounter: true,
  },
  "monitor.series.dropped": {
    help: "Number of dropped series. At most 200 series per metric and cluster are exposed.",
    labels: ["metric"],
    isCounter: true,
  },
} as const;

type PerCluster = Extract<
  keyof typeof serviceMetricSpecs,
  `${string}.main.${string}` | `${string}.failedworker`
>;

export function serviceMetrics(metrics: Metrics) {
  const counter = <Label extends string = never>(
    metric: PerCluster | "monitor.workers.late",
    labels: readonly Label[],
  ) =>
    metrics.counter<Label>({
      name: `${metric.replaceAll(".", "_")}_total`,
      help: serviceMetricSpecs[metric].help,
      labels,
      emits: [{ metric, value: "one" }],
    });
  const gauge = <Label extends string = never>(
    metric:
      | "monitor.heartbeat"
      | "monitor.workers.active.count"
      | "monitor.workers.waiting.count"
      | "monitor.cache.size",
    labels: readonly Label[],
  ) =>
    metrics.gauge<Label>({
      name: metric.replaceAll(".", "_"),
      help: serviceMetricSpecs[metric].help,
      labels,
      emits: [{ metric, value: "observed" }],
    });
  return {
    timedOut: counter("monitor.main.timedout", ofCluster),
    forcedCleanup: counter("monitor.main.forcedcleanup", ofCluster),
    notReached: counter("monitor.main.notreached", ofCluster),
    broken: {
      cluster: counter("monitor.cluster.failedworker", ofCluster),
      hive: counter("monitor.hive.failedworker", ofCluster),
      nsg: counter("monitor.nsg.failedworker", ofCluster),
    },
    heartbeat: gauge("monitor.heartbeat", serviceMetricSpecs["monitor.heartbeat"].labels),
    waiting: gauge("monitor.workers.waiting.count", []),
    late: counter("monitor.workers.late", []),
    active: gauge("monitor.workers.active.count", []),
    cacheSize: gauge("monitor.cache.size", serviceMetricSpecs["monitor.cache.size"].labels),
  };
}

export type ServiceMetrics = ReturnType<typeof serviceMetrics>;
