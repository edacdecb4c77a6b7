import type { Column } from "./data-table.tsx";
import { TimeText } from "./time-text.tsx";

/** Returns a column that shows times and is sorted by them. */
export function timeColumn<Row>(title: string, at: (row: Row) => string): Column<Row> {
  return { title, sortBy: at, cell: (row) => <TimeText at={at(row)} /> };
}
