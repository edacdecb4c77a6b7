import { AggregatorRegistry } from "prom-client";

/** Metric in the JSON format of prom-client, for exchange between processes. */
export interface MetricJson {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  /** Aggregation of the values of several processes, for example `sum`. */
  readonly aggregator: string;
  readonly values: readonly object[];
}

export interface Exposition {
  readonly contentType: string;
  readonly body: string;
}

/** Merges the metrics of several processes and returns the Prometheus text format. Counters and histograms are summed. */
export async function mergeMetrics(processes: readonly (readonly MetricJson[])[]): Promise<Exposition> {
  const merged = AggregatorRegistry.aggregate(processes.map((each) => [...each]));
  return { contentType: merged.contentType, body: await merged.metrics() };
}
