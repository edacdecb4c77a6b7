import { labelKey, type Sample, without } from "./series.ts";

/** Computes quantiles from histogram buckets with the label `le`. Interpolates linearly like Prometheus (promql/quantile.go). */
export function histogramQuantile(share: number, samples: readonly Sample[]): readonly Sample[] {
  const bucketed = samples.filter(({ labels }) => labels.le !== undefined);
  const groups = Map.groupBy(bucketed, ({ labels }) => labelKey(without(labels, ["le", "__name__"])));
  return [...groups.values()].flatMap((group) => {
    const buckets = group
      .map(({ labels, value }) => ({ bound: parseBound(labels.le ?? ""), count: value }))
      .toSorted((a, b) => a.bound - b.bound);
    const value = valueAt(share, buckets);
    return value === undefined
      ? []
      : [{ labels: without(group[0]?.labels ?? {}, ["le", "__name__"]), value }];
  });
}

interface Bucket {
  readonly bound: number;
  /** Cumulative number of observations up to `bound`. */
  readonly count: number;
}

function valueAt(share: number, buckets: readonly Bucket[]): number | undefined {
  const last = buckets.at(-1);
  if (!last || last.bound !== Infinity || buckets.length < 2) return undefined;
  if (last.count === 0 || Number.isNaN(last.count)) return Number.NaN;
  if (share < 0) return -Infinity;
  if (share > 1) return Infinity;
  const rank = share * last.count;
  const index = buckets.findIndex(({ count }) => count >= rank);
  const bucket = buckets[index];
  const before = buckets[index - 1];
  if (!bucket || bucket.bound === Infinity) return buckets.at(-2)?.bound;
  if (!before && bucket.bound <= 0) return bucket.bound;
  const from = before?.bound ?? 0;
  const below = before?.count ?? 0;
  return from + (bucket.bound - from) * ((rank - below) / (bucket.count - below));
}

function parseBound(text: string): number {
  return text === "+Inf" ? Infinity : Number(text);
}
