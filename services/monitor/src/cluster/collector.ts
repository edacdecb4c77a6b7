import type { Logger } from "@keelson/base";
import type { ClusterDocument } from "@keelson/model";
import type { Emit, MetricSpecs } from "../metrics/metric-spec.ts";
import type { ClusterView } from "./cluster-view.ts";

/** Inputs of a collector in one pass over one cluster. */
export interface CollectorScope<M extends MetricSpecs> {
  readonly view: ClusterView;
  readonly document: ClusterDocument;
  readonly emit: Emit<M>;
  /** Logs the reason for a value in the first pass of each hour. */
  readonly explain: (fields: Readonly<Record<string, unknown>>) => void;
  /** True on the first pass of each hour. */
  readonly isHourly: boolean;
  readonly now: Date;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

interface CollectorDefinition<M extends MetricSpecs> {
  /** Name on the wire: the dimension `collector` of the monitor's own metrics. */
  readonly name: string;
  readonly metrics: M;
  /** Time limit. Default: `defaultLimitMs`. */
  readonly limitMs?: number;
  /** `hour`: only in the first pass of each hour. */
  readonly period?: "hour";
  collect(scope: CollectorScope<M>): Promise<void> | void;
}

/** Collector: one kind of read of a cluster, and its metrics. */
export interface Collector extends CollectorDefinition<MetricSpecs> {}

/**
 * Defines a collector. The types restrict `collect` to the declared metrics with exactly their dimensions.
 */
export function defineCollector<const M extends MetricSpecs>(definition: CollectorDefinition<M>): Collector {
  // The cast only erases the types of the metrics that `collect` sends.
  return definition as unknown as Collector;
}

export const defaultLimitMs = 30_000;
