const integerOffset = 2n ** 53n;
/** Number of digits of the largest sum. */
const integerDigits = 17;

/** Separates the values of a list. It is lower than every one-character string of `sortable`. */
const separator = "\x01\x01";

/**
 * Returns a string that sorts like the value: strings by code points, integers by value. It has one character
 * per byte of UTF-8, so that it sorts equally as bytes, as UTF-16 and as code points. The service uses one of
 * these orders, and its SDK a different one to merge partitions.
 */
export function sortable(value: string | number): string {
  if (typeof value === "string") {
    return Buffer.from(value, "utf8").toString("latin1").replaceAll("\x01", "\x01\x02");
  }
  return (BigInt(Math.trunc(value)) + integerOffset).toString().padStart(integerDigits, "0");
}

/** Orders by the first value, then by the second, and on. */
export function sortableList(values: readonly (string | number)[]): string {
  return values.map(sortable).join(separator);
}

/** Splits a list into its sortable strings. */
export function sortableParts(list: string): readonly string[] {
  return list.split(separator);
}

export function joinSortable(parts: readonly string[]): string {
  return parts.join(separator);
}
