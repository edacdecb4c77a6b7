import { type PublishedRun, printedNumbers, writtenNumbers } from "./published-run.ts";

/** Value of a document that no recorded benchmark run printed. */
export interface UnknownValue {
  readonly line: number;
  readonly reason: string;
}

/** Header of the column that names the benchmark of a table row. */
const benchColumn = "bench";
/** Measured rates in prose. They belong in a table with a column `bench`, or in docs/performance.md. */
const rateInProse =
  /\b\d{1,3}(?:,\d{3})+ (?:requests?|scrapes?|commits?|creations?|updates?|deletions?) (?:per|a) second\b|\b\d+(?:\.\d+)? (?:us|µs) (?:of )?CPU\b/;

/**
 * Returns the values in a Markdown document that no recorded run printed. Checks the rows of each table with a column `bench`.
 * The cell in this column names a benchmark, and optionally conditions after a comma. The cell is empty for an assumption. Also
 * returns measured rates in prose, because their benchmark is unknown.
 */
export function unknownValues(source: string, runs: readonly PublishedRun[]): readonly UnknownValue[] {
  const problems: UnknownValue[] = [];
  let header: readonly string[] = [];
  for (const [index, line] of source.split("\n").entries()) {
    const cells = cellsOf(line);
    if (!cells) {
      header = [];
      const rate = rateInProse.exec(line)?.[0];
      if (rate !== undefined)
        problems.push({
          line: index + 1,
          reason: `"${rate}" needs a table row with a column \`${benchColumn}\``,
        });
      continue;
    }
    if (header.length === 0) header = cells;
    const at = header.indexOf(benchColumn);
    if (at < 0 || cells === header || cells.every((cell) => /^:?-+:?$/.test(cell))) continue;
    problems.push(...unknownInRow(cells, at, runs).map((reason) => ({ line: index + 1, reason })));
  }
  return problems;
}

function unknownInRow(
  cells: readonly string[],
  at: number,
  runs: readonly PublishedRun[],
): readonly string[] {
  const [part = ""] = (cells[at] ?? "").split(",");
  if (part === "") return [];
  if (!runs.some((run) => run.part === part)) return [`no run of the benchmark ${part} is recorded`];
  const printed = printedNumbers(runs, part);
  // The first cell is the name of the value.
  return cells
    .filter((_, column) => column !== 0 && column !== at)
    .flatMap((cell) => writtenNumbers(cell))
    .filter(({ value, decimals }) => !printed.some((each) => Math.abs(each - value) <= 0.5 * 10 ** -decimals))
    .map(({ text }) => `the benchmark ${part} did not print ${text}`);
}

/** Returns the cells of a table row. Undefined for other lines. */
function cellsOf(line: string): readonly string[] | undefined {
  if (!/^\s*\|.*\|\s*$/.test(line)) return undefined;
  return line
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}
