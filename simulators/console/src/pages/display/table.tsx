import { Button } from "@patternfly/react-core";
import styles from "@patternfly/react-styles/css/components/Table/table";
import { type ReactNode, useState } from "react";

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
}

interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Text shown if the table has no rows. */
  readonly empty: string;
}

/** Maximum number of rows per page. Browsers render this number without delay. */
const pageSize = 200;

/** Table. Narrow windows show each row as a card. */
export function Table<Row>({ label, columns, rows, keyOf, empty }: TableProps<Row>) {
  const [limit, setLimit] = useState(pageSize);
  if (rows.length === 0) return <p className="empty">{empty}</p>;
  return (
    <>
      <table className={`${styles.table} pf-m-compact`} aria-label={label}>
        <thead className={styles.tableThead}>
          <tr className={styles.tableTr}>
            {columns.map(({ title }) => (
              <th className={styles.tableTh} scope="col" key={title}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className={styles.tableTbody}>
          {rows.slice(0, limit).map((row) => (
            <tr className={styles.tableTr} key={keyOf(row)}>
              {columns.map(({ title, cell }) => (
                <td className={styles.tableTd} data-label={title} key={title}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > limit && (
        <Button variant="link" onClick={() => setLimit(limit + pageSize)}>
          Show {Math.min(pageSize, rows.length - limit)} more of {rows.length}
        </Button>
      )}
    </>
  );
}
