import type { Sample } from "@keelson/base";

/** A metric as it is on the wire; its values always bear the dimensions of its cluster as well. */
interface MetricSpec {
  /** For the Prometheus exposition and the runbooks: what a value says. */
  readonly help: string;
  readonly dimensions: readonly string[];
  /** True for durations: they are sent as fractions even when they happen to be whole. */
  readonly isFraction?: boolean;
}

export type MetricSpecs = Readonly<Record<string, MetricSpec>>;

/** Sends a value of one of the metrics that `M` declares, with all of its dimensions. */
export type Emit<M extends MetricSpecs> = <Name extends keyof M & string>(
  metric: Name,
  value: number,
  dimensions: Readonly<Record<M[Name]["dimensions"][number], string>>,
) => void;

/** What takes samples never makes their sender wait, and never throws. */
export interface MetricSink {
  send(sample: Sample): void;
}

/** Adds `fixed` to what is sent; where both name a dimension, `fixed` wins. */
export function emitWith<M extends MetricSpecs>(
  specs: M,
  sink: MetricSink,
  fixed: Readonly<Record<string, string>>,
): Emit<M> {
  return (metric, value, dimensions) =>
    sink.send({
      metric,
      value,
      dimensions: { ...dimensions, ...fixed },
      ...(specs[metric]?.isFraction ? { isFraction: true } : {}),
    });
}
