/** Sample in a range. */
export interface Point {
  readonly ms: number;
  readonly value: number;
}

export type RangeFunction = (
  points: readonly Point[],
  range: { readonly fromMs: number; readonly toMs: number },
) => number | undefined;

/** Functions over sample ranges. Each function returns one value per series. */
export const rangeFunctions: Readonly<Record<string, RangeFunction>> = {
  rate: (points, range) => perSecond(increaseOf(points, range), range),
  increase: increaseOf,
  delta: (points) => {
    const [first, last] = ends(points);
    return first && last && last.value - first.value;
  },
  irate: (points) => {
    const [before, last] = points.slice(-2);
    if (!before || !last) return undefined;
    const change = last.value < before.value ? last.value : last.value - before.value;
    return (change * 1_000) / (last.ms - before.ms);
  },
  avg_over_time: (points) => mean(points.map(({ value }) => value)),
  sum_over_time: (points) =>
    points.length > 0 ? points.reduce((sum, { value }) => sum + value, 0) : undefined,
  min_over_time: (points) => (points.length > 0 ? Math.min(...points.map(({ value }) => value)) : undefined),
  max_over_time: (points) => (points.length > 0 ? Math.max(...points.map(({ value }) => value)) : undefined),
  count_over_time: (points) => (points.length > 0 ? points.length : undefined),
  last_over_time: (points) => points.at(-1)?.value,
};

/**
 * Returns the increase of a counter in the range, including resets. Extrapolates to the ends of the range if samples are close to
 * them, like Prometheus (promql/functions.go, extrapolatedRate).
 */
function increaseOf(
  points: readonly Point[],
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): number | undefined {
  const [first, last] = ends(points);
  if (!first || !last) return undefined;
  let increase = last.value - first.value;
  points.forEach(({ value }, index) => {
    const before = points[index - 1]?.value ?? value;
    if (value < before) increase += before;
  });
  const sampledMs = last.ms - first.ms;
  const averageMs = sampledMs / (points.length - 1);
  const reach = (gapMs: number) => (gapMs >= averageMs * 1.1 ? averageMs / 2 : gapMs);
  let startGap = reach(first.ms - fromMs);
  // Limits the extrapolation because a counter is never negative.
  if (increase > 0 && first.value >= 0) startGap = Math.min(startGap, (sampledMs * first.value) / increase);
  return (increase * (sampledMs + startGap + reach(toMs - last.ms))) / sampledMs;
}

function perSecond(
  increase: number | undefined,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): number | undefined {
  return increase === undefined ? undefined : (increase * 1_000) / (toMs - fromMs);
}

function ends(points: readonly Point[]): readonly [Point | undefined, Point | undefined] {
  return points.length < 2 ? [undefined, undefined] : [points[0], points.at(-1)];
}

function mean(values: readonly number[]): number | undefined {
  return values.length > 0 ? values.reduce((sum, value) => sum + value, 0) / values.length : undefined;
}
