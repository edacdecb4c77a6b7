const s = 1_000;
const min = 60 * s;
const h = 60 * min;
const steps: readonly number[] = [
  100,
  200,
  500,
  s,
  2 * s,
  5 * s,
  10 * s,
  15 * s,
  30 * s,
  min,
  2 * min,
  5 * min,
  10 * min,
  15 * min,
  30 * min,
  h,
  2 * h,
  3 * h,
  6 * h,
  12 * h,
  24 * h,
];

/**
 * Returns round times within a period of `lengthMs`, in ms since the start of the period. The result contains the start and at
 * most `most` later times.
 */
export function timeTicks(lengthMs: number, most: number): readonly number[] {
  const day = 24 * h;
  const step = steps.find((each) => lengthMs / each <= most) ?? Math.ceil(lengthMs / most / day) * day;
  return Array.from({ length: Math.floor(lengthMs / step) + 1 }, (_, at) => at * step);
}
