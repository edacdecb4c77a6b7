import type { Sample } from "@keelson/base";

/** Metric as on the wire. Its values always include the dimensions of its cluster. */
interface MetricSpec {
  /** Description of a value for the Prometheus exposition and the runbooks. */
  readonly help: string;
  readonly dimensions: readonly string[];
  /** True for durations, which are sent as fractions even for whole values. */
  readonly isFraction?: boolean;
}

export type MetricSpecs = Readonly<Record<string, MetricSpec>>;

/** Sends a value of one of the metrics that `M` declares, with all of its dimensions. */
export type Emit<M extends MetricSpecs> = <Name extends keyof M & string>(
  metric: Name,
  value: number,
  dimensions: Readonly<Record<M[Name]["dimensions"][number], string>>,
) => void;

/** Receiver of samples. It never delays the sender and never throws. */
export interface MetricSink {
  send(sample: Sample): void;
}

/** Adds `fixed` to the sent dimensions, with priority over them. */
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
