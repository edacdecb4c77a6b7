import type { Logger } from "@keelson/base";
import type { ClusterDocument } from "@keelson/model";
import type { Emit, MetricSpecs } from "../metrics/metric-spec.ts";
import type { ClusterView } from "./cluster-view.ts";

/** What a collector works with in one pass over one cluster. */
export interface CollectorScope<M extends MetricSpecs> {
  readonly view: ClusterView;
  readonly document: ClusterDocument;
  readonly emit: Emit<M>;
  /** Logs why a value is as it is, on the first pass of each hour. */
  readonly explain: (fields: Readonly<Record<string, unknown>>) => void;
  /** True on the first pass of each hour. */
  readonly isHourly: boolean;
  readonly now: Date;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

interface CollectorDefinition<M extends MetricSpecs> {
  /** On the wire: the dimension `collector` of the monitor's own metrics. */
  readonly name: string;
  readonly metrics: M;
  /** After which it is given up; `defaultLimitMs` when absent. */
  readonly limitMs?: number;
  /** `hour`: only in the first pass of each hour. */
  readonly period?: "hour";
  collect(scope: CollectorScope<M>): Promise<void> | void;
}

/** One reading of a cluster, and the metrics that it may send. */
export interface Collector extends CollectorDefinition<MetricSpecs> {}

/** Types hold `collect` to the metrics that are declared, with exactly their dimensions. */
export function defineCollector<const M extends MetricSpecs>(definition: CollectorDefinition<M>): Collector {
  // What `collect` sends is in `metrics`: that is all the types forget.
  return definition as unknown as Collector;
}

export const defaultLimitMs = 30_000;
