import type { Sample } from "@keelson/base";

/** Declaration of a cluster metric. Each value also has the dimensions that identify its cluster. */
interface MetricSpec {
  /** Description of a value. Prometheus and the runbooks show it. */
  readonly help: string;
  readonly dimensions: readonly string[];
  /** True for durations, which are always sent with a decimal fraction, even if the value is an integer. */
  readonly isFraction?: boolean;
}

export type MetricSpecs = Readonly<Record<string, MetricSpec>>;

/** Sends the value of a declared metric with all of its dimensions. */
export type Emit<M extends MetricSpecs> = <Name extends keyof M & string>(
  metric: Name,
  value: number,
  dimensions: Readonly<Record<M[Name]["dimensions"][number], string>>,
) => void;

/** Receives samples. A sink never blocks and never throws. */
export interface MetricSink {
  send(sample: Sample): void;
}

/**
 * Returns a function that sends a value with the additional dimensions `fixed`. If a call passes a dimension that is also in
 * `fixed`, the value in `fixed` is sent.
 */
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
      isFraction: specs[metric]?.isFraction ? true : undefined,
    });
}
