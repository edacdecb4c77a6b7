/** `make crashes`: runs the crash matrix of `keelson up`. `--help` lists the options. */
import process from "node:process";
import { printTable } from "../../bench/support/table.ts";
import { ChildProcesses } from "../../scripts/child-processes.ts";
import { optionsOrExit } from "../../scripts/command-options.ts";
import { RowFile } from "../../scripts/row-file.ts";
import { caseName, crashCases, remainingCases } from "./crash-case.ts";
import { CrashMatrix } from "./crash-matrix.ts";
import { type CrashRow, missedGoals, tableOf } from "./evaluate.ts";

const values = optionsOrExit({
  script: "tests/crashes/main.ts",
  description:
    "Kills and suspends each process of `keelson up`. Measures failed requests and recovery times of clients. Linux only.",
  options: {
    rows: {
      value: "FILE",
      help: "output file with one row per case; if it exists, the run resumes",
      initial: ".tools/crashes.jsonl",
    },
    clusters: {
      value: "N",
      help: "number of clusters in the cases with many clusters; 1 skips these cases",
      least: 1,
      initial: "50",
    },
    suspend: { value: "SECONDS", help: "duration of a suspension, in seconds", least: 1, initial: "60" },
    only: {
      value: "TEXT",
      help: 'run only cases with this string in their name, for example "service SIGKILL"',
      initial: "",
    },
  },
  example: '--rows /var/tmp/crashes.jsonl --clusters 50 --only "service SIGKILL"',
});
const file = new RowFile<CrashRow>(values.rows ?? "");
const cases = crashCases(Number(values.clusters));
const remaining = remainingCases(cases, file.rows(), values.only);
if (remaining.length > 0) {
  await using matrix = new CrashMatrix(Number(values.suspend) * 1_000);
  const children = ChildProcesses.supervise(() => matrix.removeState());
  for (const each of remaining) {
    console.log(`${caseName(each)} ...`);
    const row = await matrix.run(each);
    // Discards the result of an interrupted case. Waits until the signal handler exits the process.
    if (children.isInterrupted) await new Promise(() => undefined);
    file.append(row);
    for (const problem of missedGoals(row)) console.log(`  ${problem}`);
  }
}
const rows = file.rows();
printTable(tableOf(rows));
const missed = rows.flatMap(missedGoals);
for (const problem of missed) console.log(problem);
console.log(`${rows.length} of ${cases.length} cases in ${file.path}: ${missed.length} goals missed`);
process.exitCode = missed.length === 0 ? 0 : 1;
