const integerOffset = 2n ** 53n;
/** As many digits as the largest sum has. */
const integerDigits = 17;

/** Between the values of a list. Lower than every text that `sortable` makes of one character. */
const separator = "\x01\x01";

/**
 * A text whose order is that of the values: of texts by their code points, of whole numbers by their size. It has a
 * character per byte of UTF-8, so that it sorts alike as bytes, as UTF-16 and as code points: the service compares
 * one way, its SDK another when it merges partitions.
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

/** The sortable texts of which a list was made. */
export function sortableParts(list: string): readonly string[] {
  return list.split(separator);
}

export function joinSortable(parts: readonly string[]): string {
  return parts.join(separator);
}
