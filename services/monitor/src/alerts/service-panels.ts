import type { Chart } from "./grafana.ts";

/** Chart with the rates of counters over five minutes, summed by `labels`. */
export function rate(
  title: string,
  description: string,
  counter: string,
  labels: readonly string[] = [],
  unit = "cps",
): Chart {
  const by = labels.length === 0 ? "" : ` by (${labels.join(", ")})`;
  return {
    title,
    description,
    unit,
    queries: [
      { expr: `sum${by} (rate(${counter}[5m]))`, legend: labels.map((each) => `{{${each}}}`).join(" ") },
    ],
  };
}

/** Chart with the quantiles of a histogram over ten minutes, by `labels`. */
export function quantiles(
  title: string,
  description: string,
  histogram: string,
  labels: readonly string[],
  quantile: readonly string[],
): Chart {
  const by = ["le", ...labels].join(", ");
  const expr = (each: string) =>
    `histogram_quantile(${each}, sum by (${by}) (rate(${histogram}_bucket[10m])))`;
  return {
    title,
    description,
    unit: "s",
    queries: quantile.map((each) => ({
      // Shows only the ten slowest series, because they would be hard to find in a chart with many lines.
      expr: labels.length === 0 ? expr(each) : `topk(10, ${expr(each)})`,
      legend: [...labels.map((label) => `{{${label}}}`), `p${Number(each) * 100}`].join(" "),
    })),
  };
}

/** Chart with the values of gauges, aggregated over all processes by `labels`. */
export function gauge(
  title: string,
  description: string,
  metric: string,
  { sum = false, labels = [], unit }: GaugeOptions = {},
): Chart {
  const by = labels.length === 0 ? "" : ` by (${labels.join(", ")})`;
  return {
    title,
    description,
    ...(unit === undefined ? {} : { unit }),
    queries: [
      {
        expr: `${sum ? "sum" : "max"}${by} (${metric})`,
        legend: labels.length === 0 ? title : labels.map((each) => `{{${each}}}`).join(" "),
      },
    ],
  };
}

interface GaugeOptions {
  /** True if the chart shows the sum over all processes. Default: the chart shows the largest value. */
  readonly sum?: boolean;
  readonly labels?: readonly string[];
  readonly unit?: string;
}
