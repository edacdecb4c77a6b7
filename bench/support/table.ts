import process from "node:process";

/** Prints rows in aligned columns. The first row is the header. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    process.stdout.write(`${cells.join("  ").trimEnd()}\n`);
  }
  process.stdout.write("\n");
}

export function figure(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
