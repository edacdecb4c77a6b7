import type { MetricSpecs } from "./metric-spec.ts";

/** Metrics about the monitor's own collections. Each metric has the dimensions of its cluster. */
export const passMetrics = {
  "monitor.cluster.collector.error": { help: "1 for a collector that failed.", dimensions: ["collector"] },
  "monitor.cluster.collector.skipped": {
    help: "1 for a collector that did not run because of the time limit of the pass.",
    dimensions: ["collector"],
  },
  "monitor.cluster.collector.duration": {
    help: "Duration of a collector in seconds.",
    dimensions: ["collector"],
    isFraction: true,
  },
  "monitor.cluster.duration": {
    help: "Duration of a pass without a failure in seconds.",
    dimensions: [],
    isFraction: true,
  },
} as const satisfies MetricSpecs;
