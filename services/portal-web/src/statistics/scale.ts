import type { Statistics } from "@keelson/portal-api";

export interface Point {
  readonly ms: number;
  readonly value: number;
}
export interface Series {
  readonly name: string;
  readonly points: readonly Point[];
}

/** Converts series to numbers, sorted by time. Invalid values are removed. */
export const seriesOf = (statistics: Statistics): readonly Series[] =>
  statistics.map(({ metricname, metricvalue }) => ({
    name: metricname,
    points: metricvalue
      .map(({ timestamp, value }) => ({ ms: Date.parse(timestamp), value }))
      .filter(({ ms, value }) => Number.isFinite(ms) && Number.isFinite(value))
      .sort((one, other) => one.ms - other.ms),
  }));

/** Returns round values for grid lines. The range of the grid lines contains 0 and all values of a chart. */
export function valueTicks(least: number, largest: number, most: number): readonly number[] {
  const low = Math.min(0, least);
  const high = Math.max(0, largest);
  const span = Math.max(high - low, Number.MIN_VALUE * 1e10);
  const rough = span / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((each) => each * power >= rough * 0.999_999) ?? 10) * power;
  const first = Math.floor(low / step);
  const last = Math.max(first + 1, Math.ceil((high / step) * 0.999_999));
  return Array.from({ length: last - first + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)));
}

/**
 * Reduces the number of points to at most two per bucket. Each bucket keeps its minimum and its maximum, so that peaks stay
 * visible.
 */
export function thinned(points: readonly Point[], buckets: number): readonly Point[] {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || points.length <= 2 * buckets) return points;
  const length = Math.max(1, last.ms - first.ms);
  const byBucket = Map.groupBy(points, ({ ms }) =>
    Math.min(buckets - 1, Math.floor(((ms - first.ms) / length) * buckets)),
  );
  return [...byBucket.values()].flatMap((bucket) => {
    const least = bucket.reduce((one, other) => (other.value < one.value ? other : one));
    const largest = bucket.reduce((one, other) => (other.value > one.value ? other : one));
    if (least === largest) return [least];
    return least.ms < largest.ms ? [least, largest] : [largest, least];
  });
}

/** Returns the point nearest to a time. Undefined if there are no points. */
export function nearest(points: readonly Point[], ms: number): Point | undefined {
  let [low, high] = [0, points.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((points[middle]?.ms ?? 0) < ms) low = middle + 1;
    else high = middle;
  }
  const [before, after] = [points[low - 1], points[low]];
  if (!before || !after) return before ?? after;
  return ms - before.ms <= after.ms - ms ? before : after;
}
