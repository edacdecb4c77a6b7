/**
 * `node bench/publish.ts FILE [--note TEXT]`: records the benchmark runs of a JSON file of `bench/main.ts` in
 * `bench/published/runs`, and updates `docs/performance.md`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { parseCommandOptions } from "../scripts/command-options.ts";
import { performanceFile, performancePage } from "./published/performance-page.ts";
import { runFileName, runsDirectory } from "./published/published-run.ts";
import { runsOfBenchFile } from "./published/runs-of-bench-file.ts";

const usage =
  "usage: node bench/publish.ts FILE [--note TEXT]\nFILE is a JSON file of bench/main.ts, for example .tools/bench.json\n";
const [file = "", ...args] = process.argv.slice(2);
const parsed = parseCommandOptions(
  { note: { value: "TEXT", help: "note on these runs", initial: "" } },
  args,
);
if (file === "--help" || file === "-h") process.stdout.write(usage);
else if (file === "" || file.startsWith("-") || "problem" in parsed) {
  process.stderr.write("problem" in parsed ? `${parsed.problem}\n${usage}` : usage);
  process.exitCode = 2;
} else publish(file, parsed.values.note ?? "");

function publish(path: string, note: string): void {
  const runs = runsOfBenchFile(JSON.parse(readFileSync(path, "utf8")));
  for (const run of runs) {
    const recorded = note === "" ? run : { ...run, note };
    writeFileSync(join(runsDirectory, runFileName(run)), `${JSON.stringify(recorded, null, 2)}\n`);
  }
  writeFileSync(performanceFile, performancePage());
  process.stdout.write(`${runs.map(({ part }) => part).join(", ")}: recorded, docs/performance.md updated\n`);
}
