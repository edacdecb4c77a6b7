const integerOffset = 2n ** 53n;
/** Number of digits of the largest integer after the offset is added. */
const integerDigits = 17;

/** Separator of list values. It sorts before every one-character string of `sortable`. */
const separator = "\x01\x01";

/**
 * Returns a string that sorts like the value: strings by code points, integers by value. The string contains one character per
 * UTF-8 byte. Bytes, UTF-16 units and code points therefore result in the same order. This is required, because Cosmos DB and the
 * SDK, which merges the sorted partitions, order strings differently.
 */
export function sortable(value: string | number): string {
  if (typeof value === "string") {
    return Buffer.from(value, "utf8").toString("latin1").replaceAll("\x01", "\x01\x02");
  }
  return (BigInt(Math.trunc(value)) + integerOffset).toString().padStart(integerDigits, "0");
}

/** Returns a string that sorts by the first value, then by the second, and so on. */
export function sortableList(values: readonly (string | number)[]): string {
  return values.map(sortable).join(separator);
}

/** Splits the result of `sortableList` into its values. */
export function sortableParts(list: string): readonly string[] {
  return list.split(separator);
}

export function joinSortable(parts: readonly string[]): string {
  return parts.join(separator);
}
