/** Returns the median. For an even number of values: the upper of both middle values. Without values: NaN. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
