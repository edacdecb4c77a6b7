/** All values of one metric, with their labels. */
export type MetricFamily =
  | {
      readonly kind: "counter" | "gauge";
      readonly name: string;
      readonly help: string;
      readonly series: readonly { readonly labels: LabelTexts; readonly value: number }[];
    }
  | {
      readonly kind: "histogram";
      readonly name: string;
      readonly help: string;
      readonly series: readonly HistogramSeries[];
    };

export type LabelTexts = Readonly<Record<string, string>>;

export interface HistogramSeries {
  readonly labels: LabelTexts;
  /** Upper bounds, ascending, without the infinite one. */
  readonly bounds: readonly number[];
  /** Of each bucket alone, one more than `bounds`. */
  readonly counts: readonly number[];
  readonly sum: number;
  readonly count: number;
}

/** A line of a histogram in the exposition: a bucket, with what smaller ones have, the sum or the count. */
export interface HistogramLine {
  readonly name: string;
  readonly labels: LabelTexts;
  readonly value: number;
}

/** Joins the lines of each series, which come in ascending order of their buckets. */
export function histogramSeries(lines: readonly HistogramLine[]): readonly HistogramSeries[] {
  const bySeries = Map.groupBy(lines, ({ labels: { le: _, ...labels } }) => JSON.stringify(labels));
  return [...bySeries.values()].map((ofSeries) => {
    const buckets = ofSeries.filter(({ name }) => name.endsWith("_bucket"));
    const only = (suffix: string) => ofSeries.find(({ name }) => name.endsWith(suffix))?.value ?? 0;
    const { le: _, ...labels } = ofSeries[0]?.labels ?? {};
    return {
      labels,
      bounds: buckets.map((each) => Number(each.labels.le)).filter(Number.isFinite),
      counts: buckets.map(({ value }, at) => value - (buckets[at - 1]?.value ?? 0)),
      sum: only("_sum"),
      count: only("_count"),
    };
  });
}
