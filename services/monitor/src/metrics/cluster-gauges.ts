import type { Metrics, Sample } from "@keelson/base";
import type { MetricSink, MetricSpecs } from "./metric-spec.ts";
import { serviceMetricSpecs } from "./service-metrics.ts";

/**
 * Metrics of a collection that is still running. When the collection ends, they replace the metrics of the cluster's previous
 * collection.
 */
export interface RecordedPass extends MetricSink {
  end(): void;
}

/** Maximum number of series per metric and cluster. Further series are dropped and counted. */
const maxSeries = 200;
const maxLabel = 256;
/** Labels of every cluster metric. */
const clusterLabels = ["resourceId", "subscriptionId", "resourceGroup", "resourceName", "location"];

interface Series {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/**
 * Cluster metrics for Prometheus, with the values of each cluster's last collection. Example: `pod.conditions` becomes
 * `cluster_pod_conditions`. The number of series is limited.
 */
export class ClusterGauges {
  /** Series by metric name, then by cluster ID. */
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

  /** Removes the metrics of a cluster that this monitor no longer owns. */
  forget(clusterId: string): void {
    for (const ofMetric of this.#series.values()) ofMetric.delete(clusterId);
  }
}

/** Returns the Prometheus name of a cluster metric. */
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
