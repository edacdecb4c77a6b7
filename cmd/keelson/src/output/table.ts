/** Formats rows as lines with aligned columns. The first row is the heading. */
export function tableOf(rows: readonly (readonly string[])[]): string {
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const line = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(width(column))).join("  ");
  return rows.map((row) => `${line(row).trimEnd()}\n`).join("");
}
