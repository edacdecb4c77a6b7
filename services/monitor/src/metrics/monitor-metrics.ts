import type { MetricSpecs } from "./metric-spec.ts";

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
