import type { Metrics, Sample } from "@keelson/base";
import type { MetricSink, MetricSpecs } from "./metric-spec.ts";
import { serviceMetricSpecs } from "./service-metrics.ts";

/** Metrics of one pass over a cluster. They replace those of the preceding pass when the pass ends. */
export interface RecordedPass extends MetricSink {
  end(): void;
}

/** Maximum number of series per metric and cluster. Excess series are counted and dropped. */
const maxSeries = 200;
const maxLabel = 256;
/** Labels of every cluster metric. */
const clusterLabels = ["resourceId", "subscriptionId", "resourceGroup", "resourceName", "location"];

interface Series {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/**
 * Cluster metrics for Prometheus: those of each cluster's last pass, for example `cluster_pod_conditions` for
 * `pod.conditions`. Their number is bounded.
 */
export class ClusterGauges {
  /** Series by metric, then by cluster ID. */
  readonly #series = new Map<string, Map<string, readonly Series[]>>();
  readonly #dropped;

  constructor(metrics: Metrics, specs: MetricSpecs) {
    this.#dropped = metrics.counter({
      name: "monitor_series_dropped_total",
      help: serviceMetricSpecs["monitor.series.dropped"].help,
      labels: ["metric"],
    });
    for (const [metric, { help, dimensions }] of Object.entries(specs)) {
      const ofMetric = new Map<string, readonly Series[]>();
      this.#series.set(metric, ofMetric);
      const labels = [...new Set([...dimensions, ...clusterLabels])].map(labelName);
      const name = gaugeName(metric);
      metrics.measuredGauge({ name, help, labels, exposedOnly: true }, function* () {
        for (const series of ofMetric.values()) yield* series;
      });
    }
  }

  begin(clusterId: string): RecordedPass {
    const sent = new Map<string, Series[]>();
    return {
      send: (sample) => {
        const ofMetric = sent.get(sample.metric) ?? [];
        sent.set(sample.metric, ofMetric);
        if (ofMetric.length < maxSeries) ofMetric.push(seriesOf(sample));
        else this.#dropped.inc({ metric: sample.metric });
      },
      end: () => {
        for (const [metric, ofMetric] of this.#series) {
          const series = sent.get(metric);
          if (series) ofMetric.set(clusterId, series);
          else ofMetric.delete(clusterId);
        }
      },
    };
  }

  /** Removes a cluster that is no longer watched here. */
  forget(clusterId: string): void {
    for (const ofMetric of this.#series.values()) ofMetric.delete(clusterId);
  }
}

/** Returns the name of a cluster metric in Prometheus. */
export function gaugeName(metric: string): string {
  const name = labelName(metric);
  return /^(cluster|monitor)_/.test(name) ? name : `cluster_${name}`;
}

function seriesOf({ dimensions, value }: Sample): Series {
  const labels = Object.entries(dimensions).map(([name, text]) => [labelName(name), text.slice(0, maxLabel)]);
  return { labels: Object.fromEntries(labels), value };
}

function labelName(text: string): string {
  return text.replace(/[^a-zA-Z0-9_]/g, "_");
}
