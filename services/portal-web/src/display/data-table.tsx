import { Button } from "@patternfly/react-core";
import ArrowsAltV from "@patternfly/react-icons/dist/esm/icons/arrows-alt-v-icon";
import ArrowDown from "@patternfly/react-icons/dist/esm/icons/long-arrow-alt-down-icon";
import ArrowUp from "@patternfly/react-icons/dist/esm/icons/long-arrow-alt-up-icon";
import styles from "@patternfly/react-styles/css/components/Table/table";
import { type ReactNode, useDeferredValue, useState } from "react";
import { nextOrder, type SortOrder, sorted } from "./sort.ts";

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** The table can be sorted by it; what is empty comes last. */
  readonly sortBy?: (row: Row) => string | number;
  /** Long words may break within it. */
  readonly breaks?: boolean;
}

export interface DataTableProps<Row> {
  /** What the rows are, for those who do not see them. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row, at: number) => string;
  readonly initialOrder?: SortOrder;
  /** Shown in place of no rows. */
  readonly empty: ReactNode;
  /** Below a row, over the whole width. */
  readonly below?: (row: Row) => ReactNode;
}

/** Rows that a browser lays out without delay. */
const pageSize = 200;
/** As many as a window shows; the others follow once these can be used. */
const firstRows = 30;

/** A table whose rows become cards where the window is narrow. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, keyOf, initialOrder, empty, below } = props;
  const [order, setOrder] = useState(initialOrder);
  const [limit, setLimit] = useState(pageSize);
  const drawn = useDeferredValue(limit, firstRows);
  if (rows.length === 0) return <div className="empty">{empty}</div>;
  const sortBy = columns.find(({ title }) => title === order?.column)?.sortBy;
  const ordered = sortBy ? sorted(rows, sortBy, order?.descending ?? false) : rows;
  return (
    <>
      <table className={`${styles.table} pf-m-compact`} aria-label={label}>
        <thead className={styles.tableThead}>
          <tr className={styles.tableTr}>
            {columns.map((column) => (
              <HeaderCell key={column.title} column={column} order={order} onOrder={setOrder} />
            ))}
          </tr>
        </thead>
        <tbody className={styles.tableTbody}>
          {ordered.slice(0, drawn).flatMap((row, at) => {
            const key = keyOf(row, at);
            const more = below?.(row);
            return [
              <tr className={styles.tableTr} key={key}>
                {columns.map((column) => (
                  <td
                    className={`${styles.tableTd}${column.breaks ? " pf-m-break-word" : ""}`}
                    data-label={column.title}
                    key={column.title}
                  >
                    {column.cell(row)}
                  </td>
                ))}
              </tr>,
              more ? (
                <tr className={`${styles.tableTr} below-row`} key={`${key} below`}>
                  <td className={styles.tableTd} colSpan={columns.length}>
                    {more}
                  </td>
                </tr>
              ) : undefined,
            ];
          })}
        </tbody>
      </table>
      {ordered.length > limit && (
        <Button variant="link" onClick={() => setLimit(limit + pageSize)}>
          Show {Math.min(pageSize, ordered.length - limit)} more of {ordered.length}
        </Button>
      )}
    </>
  );
}

interface HeaderCellProps<Row> {
  readonly column: Column<Row>;
  readonly order: SortOrder | undefined;
  readonly onOrder: (order: SortOrder) => void;
}

function HeaderCell<Row>({ column: { title, sortBy }, order, onOrder }: HeaderCellProps<Row>) {
  if (!sortBy)
    return (
      <th className={styles.tableTh} scope="col">
        {title}
      </th>
    );
  const direction = order?.column !== title ? "none" : order.descending ? "descending" : "ascending";
  const Arrow = { none: ArrowsAltV, ascending: ArrowUp, descending: ArrowDown }[direction];
  return (
    <th
      className={`${styles.tableTh} ${styles.tableSort}${direction === "none" ? "" : " pf-m-selected"}`}
      scope="col"
      aria-sort={direction}
    >
      <button type="button" className={styles.tableButton} onClick={() => onOrder(nextOrder(order, title))}>
        <div className={styles.tableButtonContent}>
          <span className={styles.tableText}>{title}</span>
          <span className={styles.tableSortIndicator}>
            <Arrow />
          </span>
        </div>
      </button>
    </th>
  );
}
