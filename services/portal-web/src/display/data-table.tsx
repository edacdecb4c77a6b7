import ArrowsAltV from "@patternfly/react-icons/dist/esm/icons/arrows-alt-v-icon";
import ArrowDown from "@patternfly/react-icons/dist/esm/icons/long-arrow-alt-down-icon";
import ArrowUp from "@patternfly/react-icons/dist/esm/icons/long-arrow-alt-up-icon";
import styles from "@patternfly/react-styles/css/components/Table/table";
import { type ReactNode, useState } from "react";
import { ExpandableName, useExpanded } from "./expandable-name.tsx";
import { nextOrder, type SortOrder, sorted } from "./sort.ts";
import { TimeText } from "./time-text.tsx";
import { useVisibleRows } from "./visible-rows.ts";

export interface Column<Row> {
  readonly title: string;
  /** Default: the value of `sortBy`, or a dash for an empty string. */
  readonly cell?: (row: Row) => ReactNode;
  /** Returns the value by which a row is sorted in this column. Rows with empty values come last. */
  readonly sortBy?: (row: Row) => string | number;
  /** True if `sortBy` returns a time. */
  readonly isTime?: true;
  /** True if long words in this column may be broken across lines. */
  readonly breaks?: boolean;
}

export interface DataTableProps<Row> {
  /** Label of the table for screen readers. */
  readonly label: string;
  readonly className?: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row, at: number) => string;
  readonly initialOrder?: SortOrder;
  /** Sort order of a table that its page controls through `onOrder`. Default: the table controls its own sort order. */
  readonly order?: SortOrder;
  readonly onOrder?: (order: SortOrder) => void;
  /** Content that is shown instead of an empty table. */
  readonly empty: ReactNode;
  /** Returns content that is shown below a row, over the full width, after a click on the row's first cell. */
  readonly detail?: (row: Row) => ReactNode;
  /** Returns content below a row, over the full width. */
  readonly below?: (row: Row) => ReactNode;
}

/**
 * Maximum number of rows for which the complete table is rendered. For longer tables, only the rows near the visible part are
 * rendered.
 */
const maxDrawnRows = 100;
const noKeys: readonly string[] = [];

/** Data table. In a narrow window, its rows become cards. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, className = "", columns, rows, keyOf, initialOrder, empty, detail } = props;
  const expanded = useExpanded();
  const isOpen = (row: Row) => expanded.isOpen(keyOf(row, 0));
  const { below = (row: Row) => (isOpen(row) ? detail?.(row) : undefined) } = props;
  const [ownOrder, setOwnOrder] = useState(initialOrder);
  const { order = ownOrder, onOrder = setOwnOrder } = props;
  const sortBy = columns.find(({ title }) => title === order?.column)?.sortBy;
  const ordered = sortBy ? sorted(rows, sortBy, order?.descending ?? false) : rows;
  const isLong = rows.length > maxDrawnRows;
  const keys = isLong ? ordered.map(keyOf) : noKeys;
  const [body, visible] = useVisibleRows(keys, isLong);
  const drawn = isLong ? visible : { from: 0, to: rows.length, before: 0, after: 0 };
  if (rows.length === 0) return <div className="empty">{empty}</div>;
  return (
    <table
      className={`${styles.table} pf-m-compact ${className}`}
      aria-label={label}
      {...(isLong ? { "aria-rowcount": rows.length + 1 } : {})}
    >
      <thead className={styles.tableThead}>
        <tr className={styles.tableTr}>
          {columns.map((column) => (
            <HeaderCell key={column.title} column={column} order={order} onOrder={onOrder} />
          ))}
        </tr>
      </thead>
      <tbody className={styles.tableTbody} ref={body}>
        <Spacer height={drawn.before} columns={columns.length} />
        {ordered.slice(drawn.from, drawn.to).flatMap((row, index) => {
          const at = drawn.from + index;
          const key = keyOf(row, at);
          const more = below?.(row);
          return [
            <tr className={styles.tableTr} key={key} {...(isLong ? { "aria-rowindex": at + 2 } : {})}>
              {columns.map((column, columnAt) => (
                <td
                  className={`${styles.tableTd}${column.breaks ? " pf-m-break-word" : ""}`}
                  data-label={column.title}
                  key={column.title}
                >
                  {detail && columnAt === 0 ? (
                    <ExpandableName
                      name={cellOf(column, row)}
                      isOpen={isOpen(row)}
                      onToggle={() => expanded.toggle(keyOf(row, 0))}
                    />
                  ) : (
                    cellOf(column, row)
                  )}
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
        <Spacer height={drawn.after} columns={columns.length} />
      </tbody>
    </table>
  );
}

function cellOf<Row>({ cell, sortBy, isTime }: Column<Row>, row: Row): ReactNode {
  if (cell) return cell(row);
  const value = sortBy?.(row) ?? "";
  if (isTime) return <TimeText at={String(value)} />;
  return value === "" ? "–" : value;
}

/** Empty element that has the height of the rows that are not rendered. */
function Spacer({ height, columns }: { readonly height: number; readonly columns: number }) {
  if (height <= 0) return null;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus
    <tr className="spacer" aria-hidden="true">
      <td colSpan={columns} style={{ height }} />
    </tr>
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
