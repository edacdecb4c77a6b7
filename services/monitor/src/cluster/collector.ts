import type { Logger } from "@keelson/base";
import type { ClusterDocument } from "@keelson/model";
import type { Emit, MetricSpecs } from "../metrics/metric-spec.ts";
import type { ClusterView } from "./cluster-view.ts";

/** Inputs of a collector in one collection from one cluster. */
export interface CollectorScope<M extends MetricSpecs> {
  readonly view: ClusterView;
  readonly document: ClusterDocument;
  readonly emit: Emit<M>;
  /** Logs the reason for a metric value, but only in the first collection of each hour. */
  readonly explain: (fields: Readonly<Record<string, unknown>>) => void;
  /** True in the first collection of each hour. */
  readonly isHourly: boolean;
  readonly now: Date;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

interface CollectorDefinition<M extends MetricSpecs> {
  /** Name of the collector. The monitor's own metrics contain it in the dimension `collector`. */
  readonly name: string;
  readonly metrics: M;
  /** Time limit in ms. Default: `defaultLimitMs`. */
  readonly limitMs?: number;
  /** With `hour`, the collector runs only in the first collection of each hour. Default: every collection. */
  readonly period?: "hour";
  collect(scope: CollectorScope<M>): Promise<void> | void;
}

/** Collector for one kind of data about a cluster, with its metrics. */
export interface Collector extends CollectorDefinition<MetricSpecs> {}

/**
 * Defines a collector. The types ensure that `collect` can send only the declared metrics, each with exactly its declared
 * dimensions.
 */
export function defineCollector<const M extends MetricSpecs>(definition: CollectorDefinition<M>): Collector {
  // The cast only removes the specific types of the declared metrics.
  return definition as unknown as Collector;
}

export const defaultLimitMs = 30_000;
