/** How many characters, bytes, elements or entries a value has at least and at most. */
export interface SizeRange {
  readonly min: number;
  readonly max: number;
}

/** Estimates go no higher: cel-go keeps them in unsigned integers of 64 bits. */
const highest = 2 ** 64;

/** Of a value about which nothing is known. */
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

/** What going through a value of that size once costs at most. */
export function costPer(unit: number, { max }: SizeRange): number {
  return limited(Math.ceil(max * unit));
}
