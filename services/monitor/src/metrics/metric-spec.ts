import type { Sample } from "@keelson/base";

/** Declaration of a metric. Each value also has the dimensions of its cluster. */
interface MetricSpec {
  /** Description of a value. Prometheus and the runbooks show it. */
  readonly help: string;
  readonly dimensions: readonly string[];
  /** True for durations. A duration is sent as a fraction, even if its value is an integer. */
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
 * Returns a function that adds the dimensions `fixed` to each value. The added dimensions override dimensions with the same
 * names.
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
      ...(specs[metric]?.isFraction ? { isFraction: true } : {}),
    });
}
