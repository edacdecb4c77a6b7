/**
 * Repeats test runs while busy loops load the machine, to find timing-dependent tests. Appends one row per round to a file. A
 * later call resumes after the last row. `--help` lists the options.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { startBusyLoops } from "./busy-loops.ts";
import { ChildProcesses } from "./child-processes.ts";
import { optionsOrExit } from "./command-options.ts";
import { RowFile } from "./row-file.ts";
import { runTestsInChild, type TestRunResult } from "./test-runner/child-run.ts";
import { testDurations } from "./test-runner/durations.ts";

type Kind = "suite" | "slowest";

interface Row extends TestRunResult {
  readonly kind: Kind;
  readonly busy: number;
}

const root = new URL("..", import.meta.url).pathname;
const values = optionsOrExit({
  script: "scripts/repeat-tests.ts",
  description: "Repeats test runs on a busy machine and appends one JSON row per round to a file.",
  options: {
    rows: {
      value: "FILE",
      help: "output file; if it exists, the run resumes after its last row",
      initial: ".tools/test-repeat.jsonl",
    },
    suite: { value: "N", help: "number of rounds of the complete suite", least: 0, initial: "3" },
    slowest: {
      value: "COUNT",
      help: "number of slow test files that are repeated separately",
      least: 0,
      initial: "100",
    },
    times: { value: "N", help: "number of rounds of the slow files", least: 0, initial: "20" },
    busy: { value: "LOOPS", help: "number of busy loops that run during each round", least: 0, initial: "8" },
  },
  example: "--rows /var/tmp/repeat.jsonl --suite 1 --times 5",
});
const file = new RowFile<Row>(values.rows ?? "");
const busy = Number(values.busy);
ChildProcesses.supervise();
{
  using _ = startBusyLoops(busy);
  await runRounds("suite", Number(values.suite), []);
  await runRounds("slowest", Number(values.times), slowestFiles(Number(values.slowest)));
}
const failed = file.rows().reduce((sum, row) => sum + row.failed, 0);
console.log(`${file.rows().length} rounds in ${file.path}: ${failed} failed tests`);
process.exitCode = failed === 0 ? 0 : 1;

async function runRounds(kind: Kind, count: number, files: readonly string[]): Promise<void> {
  for (let round = file.rows().filter((row) => row.kind === kind).length + 1; round <= count; round++) {
    console.log(`${kind}, round ${round} of ${count}`);
    const result = await runTestsInChild(files);
    file.append({ kind, busy, ...result });
    console.log(`${result.seconds} s: ${result.passed} passed, ${result.failed} failed`);
  }
}

function slowestFiles(count: number): readonly string[] {
  return Object.entries(testDurations())
    .filter(([file]) => /[^-]test\.ts$/.test(file) && existsSync(join(root, file)))
    .sort(([, a], [, b]) => b - a)
    .slice(0, count)
    .map(([file]) => file);
}
