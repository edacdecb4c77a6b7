import type { MetricSpecs } from "./metric-spec.ts";

const ofCluster = ["resourceId", "location", "subscriptionId"] as const;

/** What the monitor says of its own passes, beside what it finds. Each bears the dimensions of its cluster as well. */
export const passMetrics = {
  "monitor.cluster.collector.error": { help: "1 for a collector that failed.", dimensions: ["collector"] },
  "monitor.cluster.collector.skipped": {
    help: "1 for a collector that did not run, because the time of the pass was over.",
    dimensions: ["collector"],
  },
  "monitor.cluster.collector.duration": {
    help: "Seconds that a collector took.",
    dimensions: ["collector"],
    isFraction: true,
  },
  "monitor.cluster.duration": {
    help: "Seconds that a pass without a failure took.",
    dimensions: [],
    isFraction: true,
  },
} as const satisfies MetricSpecs;

/** Sent as the service's own: they are about the monitor. */
export const roundMetrics = {
  "monitor.main.timedout": { help: "1 for a pass that took longer than it may.", dimensions: ofCluster },
  "monitor.main.forcedcleanup": {
    help: "1 for a pass that did not even end when it was stopped.",
    dimensions: ofCluster,
  },
  "monitor.cluster.failedworker": { help: "1 for a pass that broke.", dimensions: ofCluster },
  "monitor.hive.failedworker": { help: "1 for a look at Hive that broke.", dimensions: ofCluster },
  "monitor.nsg.failedworker": { help: "1 for a check of security groups that broke.", dimensions: ofCluster },
  "monitor.main.notreached": {
    help: "1 for a pass without a kubeconfig or address to reach the cluster with.",
    dimensions: ofCluster,
  },
} as const satisfies MetricSpecs;
