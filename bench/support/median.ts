/**
 * Returns the median. For an even number of values, returns the upper of the two middle values. For an empty list, returns NaN.
 */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
