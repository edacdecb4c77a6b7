/** Minimum and maximum number of characters, bytes, elements or entries. */
export interface SizeRange {
  readonly min: number;
  readonly max: number;
}

/** Maximum estimate. cel-go uses unsigned 64-bit integers. */
const highest = 2 ** 64;

/** Size range of a value with unknown size. */
export const unknownSize: SizeRange = { min: 0, max: highest };

export function limited(amount: number): number {
  return Math.min(amount, highest);
}

export function exactly(size: number): SizeRange {
  return { min: size, max: size };
}

export function sumOf(a: SizeRange, b: SizeRange): SizeRange {
  return { min: limited(a.min + b.min), max: limited(a.max + b.max) };
}

export function productOf(a: SizeRange, b: SizeRange): SizeRange {
  return { min: limited(a.min * b.min), max: limited(a.max * b.max) };
}

export function unionOf(a: SizeRange, b: SizeRange): SizeRange {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

/** Returns the maximum cost of visiting a value of this size once. */
export function costPer(unit: number, { max }: SizeRange): number {
  return limited(Math.ceil(max * unit));
}
