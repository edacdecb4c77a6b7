import type { Metrics } from "@keelson/base";

/** A metric of a controller. It is made once for each operator, when that first asks for it. */
export function operatorMetric<Metric>(make: (metrics: Metrics) => Metric): (metrics: Metrics) => Metric {
  const made = new WeakMap<Metrics, { readonly metric: Metric }>();
  return (metrics) => {
    const present = made.get(metrics) ?? { metric: make(metrics) };
    made.set(metrics, present);
    return present.metric;
  };
}
