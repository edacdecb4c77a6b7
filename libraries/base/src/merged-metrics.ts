import { AggregatorRegistry } from "prom-client";

/** One metric in the JSON form of prom-client, which processes send each other. */
export interface MetricJson {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  /** Method that merges the values of several processes, for example `sum`. */
  readonly aggregator: string;
  readonly values: readonly object[];
}

export interface Exposition {
  readonly contentType: string;
  readonly body: string;
}

/** Merges the metrics of several processes in the text format of Prometheus: counters and histograms are sums. */
export async function mergeMetrics(processes: readonly (readonly MetricJson[])[]): Promise<Exposition> {
  const merged = AggregatorRegistry.aggregate(processes.map((each) => [...each]));
  return { contentType: merged.contentType, body: await merged.metrics() };
}
