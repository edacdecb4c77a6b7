export interface SortOrder {
  readonly column: string;
  readonly descending: boolean;
}

/**
 * Returns the sort order after a click on a column title. The first click sorts in ascending order, and the second click reverses
 * the order.
 */
export const nextOrder = (order: SortOrder | undefined, column: string): SortOrder => ({
  column,
  descending: order?.column === column && !order.descending,
});

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** Returns the rows sorted by a value. Equal rows keep their order. Empty values are always last. */
export function sorted<Row>(
  rows: readonly Row[],
  sortBy: (row: Row) => string | number,
  descending: boolean,
): readonly Row[] {
  const direction = descending ? -1 : 1;
  return rows.toSorted((one, other) => {
    const [a, b] = [sortBy(one), sortBy(other)];
    if (a === "" || b === "") return Number(a === "") - Number(b === "");
    return (
      direction * (typeof a === "number" && typeof b === "number" ? a - b : collator.compare(`${a}`, `${b}`))
    );
  });
}
