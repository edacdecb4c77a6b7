/**
 * Writes `docs/performance.md` from the recorded runs and the table of parts in `bench/README.md`.
 *
 *     node bench/published/performance-page.ts --update
 *
 * Without `--update` it changes nothing. It exits with code 1 if the document is out of date.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { alignTable, type TableJson } from "../support/table.ts";
import { type PublishedRun, readPublishedRuns } from "./published-run.ts";

export const performanceFile = join(import.meta.dirname, "../../docs/performance.md");
const readmeFile = join(import.meta.dirname, "../README.md");

const introduction = `# Performance

Each section has the output of one benchmark run. Repeat the run with its command, and compare the ratio to the peer, because values of
different machines are not comparable. Run the commands in a checkout, for example \`node bench/main.ts rp --only GET\`.

[bench](../bench/README.md) describes all benchmarks. The load is the load average of one minute at the start of the run. If the load is
above 1, other programs used the same cores. This file is generated from the recorded runs in \`bench/published/runs\`. To publish a run, use
\`node bench/publish.ts FILE\` with a file of \`make bench\` or \`--json FILE\`.
`;

/** Description of a benchmark in `bench/README.md`. */
interface Method {
  readonly measures: string;
  readonly peer: string;
}

/** Returns the content of `docs/performance.md`. */
export function performancePage(
  runs: readonly PublishedRun[] = readPublishedRuns(),
  readme: string = readFileSync(readmeFile, "utf8"),
): string {
  return [introduction, ...runs.map((run) => sectionOf(run, methodOf(readme, run.part)))].join("\n");
}

function sectionOf(
  { part, options, date, machine, load, note, tables }: PublishedRun,
  method: Method,
): string {
  const command = `node bench/main.ts ${part} ${options}`.trim();
  const { cores, cpu, memoryGiB, node } = machine;
  const facts = [
    `- Date: ${date.slice(0, 10)}`,
    `- Machine: ${cores} cores (${cpu}), ${memoryGiB} GiB of memory, Node.js ${node}, load ${load ?? "unknown"}`,
    `- Command: \`${command}\``,
    `- Method: ${method.measures}`,
    `- Peer: ${method.peer === "-" ? "none" : method.peer}`,
    ...(note === undefined ? [] : [`- Note: ${note}`]),
  ];
  const blocks = tables.map((table) => ["```", ...alignTable(rowsOf(table)), "```", ""].join("\n"));
  return [`## ${[part, options].join(" ").trim()}`, "", ...facts, "", ...blocks].join("\n");
}

/** Returns the rows of a table as they were printed. */
function rowsOf({ title, rows }: TableJson): readonly (readonly string[])[] {
  const columns = Object.keys(rows[0]?.values ?? {});
  return [
    [title, ...columns],
    ...rows.map(({ name, values }) => [name, ...columns.map((column) => `${values[column] ?? ""}`)]),
  ];
}

/** Returns the description of a part from the table in `bench/README.md`. */
function methodOf(readme: string, part: string): Method {
  const rows = readme.split("\n").map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()));
  const row = rows.find(([, name]) => name?.replace(/ \*$/, "") === part);
  return { measures: row?.[2] ?? "", peer: row?.[3] ?? "-" };
}

function main(): void {
  const text = performancePage();
  if (process.argv.includes("--update")) writeFileSync(performanceFile, text);
  else if (readFileSync(performanceFile, "utf8") !== text) {
    process.stderr.write("docs/performance.md: stale, run make generate\n");
    process.exitCode = 1;
  }
}

if (import.meta.main) main();
