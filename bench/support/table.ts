import process from "node:process";

type Row = readonly string[];

/** Table as JSON: the values of each row by column. A value that is no number stays a string. */
export interface TableJson {
  readonly title: string;
  readonly rows: readonly {
    readonly name: string;
    readonly values: Readonly<Record<string, number | string>>;
  }[];
}

const printed: (readonly Row[])[] = [];

/** Returns the tables that were printed since the last call. */
export function takePrintedTables(): readonly TableJson[] {
  return printed.splice(0).map(([[title = "", ...columns] = [], ...rows]) => ({
    title,
    rows: rows.map(([name = "", ...cells]) => ({
      name,
      values: Object.fromEntries(
        cells.map((cell, at) => [
          columns[at] ?? `${at + 2}`,
          cell !== "" && Number.isFinite(Number(cell)) ? Number(cell) : cell,
        ]),
      ),
    })),
  }));
}

/** Prints rows in aligned columns. The first row is the header. */
export function printTable(rows: readonly Row[]): void {
  printed.push(rows);
  for (const line of alignTable(rows)) process.stdout.write(`${line}\n`);
  process.stdout.write("\n");
}

/** Returns the lines of a table in aligned columns. The first row is the header. */
export function alignTable(rows: readonly Row[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      // An empty cell would not be recognized as a column by a program that reads the output.
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : (cell || "-").padStart(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd(),
  );
}

export function figure(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
