/** All values of one metric with their labels. */
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
  /** Upper bounds in ascending order, without +Inf. */
  readonly bounds: readonly number[];
  /** Count of each bucket, not cumulative. The last one is the +Inf bucket. */
  readonly counts: readonly number[];
  readonly sum: number;
  readonly count: number;
}

/** Line of a histogram in the exposition: a cumulative bucket, the sum or the count. */
export interface HistogramLine {
  readonly name: string;
  readonly labels: LabelTexts;
  readonly value: number;
}

/** Groups histogram lines by series. Buckets must be in ascending order. */
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
