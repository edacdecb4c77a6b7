import type { Labels, Series } from "../promql/series.ts";
import { Wave } from "./wave.ts";

export interface CounterFacts {
  readonly labels: Labels;
  /** Time in Unix milliseconds from which the counter counts. */
  readonly fromMs: number;
  /** Average increase per second. */
  readonly perSecond: number;
  /** Name from which the curve is generated. Default: the labels of the series. */
  readonly curve?: string;
  /** Returns a number that is added to the generated count at `ms`, a time in Unix milliseconds. */
  readonly extra?: ((ms: number) => number) | undefined;
}

/** Returns a counter with a slowly oscillating rate. */
export function counter({ labels, fromMs, perSecond, curve, extra }: CounterFacts): Series {
  const wave = new Wave(curve ?? JSON.stringify(labels));
  return {
    labels,
    at: (ms) => (ms < fromMs ? undefined : perSecond * wave.total(fromMs, ms) + (extra?.(ms) ?? 0)),
  };
}

/** Upper bounds of the buckets in seconds. */
const bounds = [
  0.00025, 0.0005, 0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128, 0.256, 0.512, 1.024, 8.192,
];

/** Returns the buckets of a duration histogram with the given median. */
export function durationBuckets(
  name: string,
  { labels, fromMs, perSecond }: CounterFacts,
  medianSeconds: number,
): readonly Series[] {
  const curve = JSON.stringify([name, labels]);
  return [...bounds, Infinity].map((bound) =>
    counter({
      labels: { ...labels, __name__: `${name}_bucket`, le: bound === Infinity ? "+Inf" : String(bound) },
      fromMs,
      perSecond: perSecond / (1 + (medianSeconds / bound) ** 2.5),
      curve,
    }),
  );
}

/** Returns a gauge that oscillates around a mean. */
export function gauge(labels: Labels, fromMs: number, mean: number): Series {
  const wave = new Wave(JSON.stringify(labels));
  return { labels, at: (ms) => (ms < fromMs ? undefined : mean * wave.level(ms)) };
}

/**
 * Returns a gauge with the value 1 (true) or 0 (false). The gauge has the value `holds` from `sinceMs` on, and the opposite value
 * before.
 */
export function flag(labels: Labels, fromMs: number, holds: boolean, sinceMs = 0): Series {
  return {
    labels,
    at: (ms) => (ms < fromMs ? undefined : ms >= sinceMs === holds ? 1 : 0),
  };
}
