import type { Metrics } from "@keelson/base";

/** Defines a metric of a controller. The metric is created once per operator, at its first use. */
export function operatorMetric<Metric>(make: (metrics: Metrics) => Metric): (metrics: Metrics) => Metric {
  const made = new WeakMap<Metrics, { readonly metric: Metric }>();
  return (metrics) => {
    const present = made.get(metrics) ?? { metric: make(metrics) };
    made.set(metrics, present);
    return present.metric;
  };
}
