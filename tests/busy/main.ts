/**
 * `make busy`: runs the end-to-end suite and a light client on a machine with busy loops. Operations must not fail, components
 * must not restart and operators must not degrade. `--help` lists the options.
 */
import { rmSync } from "node:fs";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { printTable } from "../../bench/support/table.ts";
import { startBusyLoops } from "../../scripts/busy-loops.ts";
import { ChildProcesses } from "../../scripts/child-processes.ts";
import { optionsOrExit } from "../../scripts/command-options.ts";
import { RowFile } from "../../scripts/row-file.ts";
import { runTestsInChild } from "../../scripts/test-runner/child-run.ts";
import { Program, StateDirectory } from "../e2e/support/program.ts";
import { DemoHealth } from "./demo-health.ts";
import { hasKubectl, LightClient } from "./light-client.ts";
import { type BusyRow, outcomeOf, summarize } from "./outcome.ts";

const values = optionsOrExit({
  script: "tests/busy/main.ts",
  description: "Runs the end-to-end tests, and a client of one `keelson up`, on a busy machine.",
  options: {
    rows: {
      value: "FILE",
      help: "output file with one row per minute and per test run; if it exists, the run resumes",
      initial: ".tools/busy.jsonl",
    },
    minutes: {
      value: "N",
      help: "total duration of all runs with the same output file, in minutes",
      least: 0,
      initial: "15",
    },
    loops: { value: "N", help: "number of busy loops", least: 0, initial: "16" },
    suite: {
      value: "PATH",
      help: "run only test files with this string in their path",
      initial: "tests/e2e",
    },
  },
  example: "--rows /var/tmp/busy.jsonl --minutes 15 --loops 16",
});
const root = new URL("../..", import.meta.url).pathname;
const periodMs = 60_000;
const startLimitMs = 3_600_000;
const file = new RowFile<BusyRow>(values.rows ?? "");
const loops = Number(values.loops);

if (!(await hasKubectl(root))) {
  process.stderr.write(
    "kubectl not found. Run `scripts/install-clients.sh`, or put a kubectl into the path.\n",
  );
  process.exit(2);
}
if (remainingMs() > 0) await run();
const { table, problems } = outcomeOf(file.rows());
printTable(table);
for (const problem of problems) console.log(problem);
console.log(`${file.rows().length} rows in ${file.path}: ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;

function remainingMs(): number {
  const doneMs = file
    .rows()
    .reduce(
      (sum, row) => (row.kind === "period" && row.loops === loops ? sum + row.seconds * 1_000 : sum),
      0,
    );
  return Number(values.minutes) * 60_000 - doneMs;
}

async function run(): Promise<void> {
  using state = new StateDirectory();
  ChildProcesses.supervise(() => rmSync(state.path, { recursive: true, force: true, maxRetries: 5 }));
  using _ = startBusyLoops(loops);
  const flags = ["--state", state.path, "--ports", "auto", "--operators", "auto"];
  await using up = Program.startUnder([], "up", ...flags);
  await up.says(/endpoints/, startLimitMs);
  console.log("the cluster demo is Succeeded");
  await using client = new LightClient(state);
  const health = new DemoHealth(client.kube, up.child.pid ?? 0);
  await health.observe(AbortSignal.timeout(startLimitMs));
  const end = new AbortController();
  const suites = runSuites();
  // The last suite run may exceed the planned duration. The client and the busy loops continue until this run ends.
  void suites.finally(() => end.abort());
  while (!end.signal.aborted) {
    const startedMs = performance.now();
    await delay(periodMs, undefined, { signal: end.signal }).catch(() => undefined);
    const results = client.take();
    const changes = await health.observe(AbortSignal.timeout(startLimitMs));
    const seconds = (performance.now() - startedMs) / 1_000;
    file.append({
      kind: "period",
      seconds,
      loops,
      requests: summarize(results),
      operations: results.operations,
      health: changes,
    });
    if (!up.running) throw new Error(`keelson up has exited:\n${up.stderr}`);
  }
  await suites;
}

async function runSuites(): Promise<void> {
  while (remainingMs() > 0) {
    const result = await runTestsInChild([values.suite ?? ""]);
    file.append({ kind: "suite", loops, ...result });
  }
}
