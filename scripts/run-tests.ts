/**
 * Runs test files in parallel processes. Prints each failure with a command that repeats only the failed test. `--help` lists the
 * options. The last line is `N passed, N failed`.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { run } from "node:test";
import { ChildProcesses } from "./child-processes.ts";
import { recordExpectedDurations, recordTestDurations, testDurations } from "./test-runner/durations.ts";
import { commandOf, formatFailure } from "./test-runner/failure-report.ts";
import { type Batch, lanesOf } from "./test-runner/lanes.ts";
import { parseTestCommand, testCommandUsage } from "./test-runner/options.ts";
import { type TestFailure, TestResults } from "./test-runner/results.ts";
import { TemporaryDirectory } from "./test-runner/temporary-directory.ts";

const root = new URL("..", import.meta.url).pathname;
const batchRunner = `${root}scripts/test-runner/batch.ts`;
/**
 * Timeout of a test process in milliseconds. External clients start slowly, and one file runs many of their commands. Each long
 * test sets a separate limit of up to 40 minutes.
 */
const processTimeoutMs = { ".long-test.ts": 2_700_000, other: 1_200_000 };
/**
 * A larger young generation saves 5 to 8 % CPU time because tests create many short-lived objects. A larger initial size saves
 * another 4 to 13 %, because V8 otherwise starts with 1 MB and collects garbage often while modules load.
 */
const testProcessOptions = [
  "--disable-warning=ExperimentalWarning",
  "--max-semi-space-size=64",
  "--min-semi-space-size=32",
];
/**
 * Disables the optimizing compiler for PostgreSQL's WebAssembly. Saves 4 to 11 % CPU time of tests with a database, because most
 * test processes exit too early to benefit from it.
 */
const shortLived = ["--liftoff-only"];
const progressEveryMs = 60_000;
const slowestShown = 40;
/** Number of parallel lanes. The number is one higher than the number of processors, because tests are idle part of the time. */
const laneCount = availableParallelism() + 1;

const command = parseTestCommand(process.argv.slice(2));
if (command.kind === "help") {
  process.stdout.write(testCommandUsage);
  process.exit(0);
}
if (command.kind === "invalid") {
  process.stderr.write(`${command.message}\n`);
  process.exit(2);
}
const { ending, paths, name, tracksPromises, exitWithinMs, jsonFile, recordsExpected } = command;
const batchOptions = [`--exit-within=${exitWithinMs}`, ...(tracksPromises ? [] : ["--untracked-promises"])];
const files = testFiles();
if (files.length === 0) {
  process.stderr.write(
    `No test file ends with ${ending}${paths.length > 0 ? ` below ${paths.join(", ")}` : ""}.\n`,
  );
  console.log("0 passed, 1 failed");
  process.exit(1);
}

// The compile cache saves time because most of the cost of a small test file is the compilation of shared modules.
process.env.NODE_COMPILE_CACHE ??= `${root}.tools/compile-cache`;
if (ending !== ".test.ts") process.env.PATH = `${root}.tools/clients/bookworm/usr/bin:${process.env.PATH}`;
const temporary = new TemporaryDirectory();
const children = ChildProcesses.supervise((signal) => {
  temporary.remove();
  process.stderr.write(`Stopped by ${signal}: ${durations.size} of ${files.length} files had finished.\n`);
});

const started = performance.now();
const durations = new Map<string, number>();
const failures: TestFailure[] = [];
let passed = 0;
const progress = setInterval(printProgress, progressEveryMs);
const lastSeconds = testDurations();
const secondsOf = (file: string) => lastSeconds[file] ?? 0;
const lanes = name === undefined ? lanesOf(files, laneCount, secondsOf) : [[files]];
const laneSeconds = await Promise.all(lanes.map(runLane));
clearInterval(progress);
if (!children.isInterrupted) await finish();

/** Returns the test file paths relative to the repository root, sorted. */
function testFiles(): readonly string[] {
  const { workspaces }: { workspaces: string[] } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
  const directories = [...workspaces.map((each) => `${each}/src`), "tests", "bench", "scripts"];
  return globSync(
    directories.map((directory) => `${directory}/**/*${ending}`),
    { cwd: root },
  )
    .filter((file) => paths.length === 0 || paths.some((path) => file.includes(path)))
    .sort();
}

/** Runs a lane's batches. Returns the seconds from the start of the run to the end of the lane. */
async function runLane(batches: Iterable<Batch>): Promise<number> {
  for (const batch of batches) if (!children.isInterrupted) await runBatch(batch);
  return elapsedSeconds();
}

async function runBatch(batch: Batch): Promise<void> {
  const results = new TestResults(root, batch);
  const absolute = batch.map((file) => join(root, file));
  const events = run({
    timeout: ending === ".long-test.ts" ? processTimeoutMs[ending] : processTimeoutMs.other,
    execArgv: [
      ...testProcessOptions,
      ...(ending === ".long-test.ts" ? [] : shortLived),
      ...profileArguments(),
    ],
    ...(name === undefined
      ? { files: [batchRunner], argv: [...batchOptions, ...absolute] }
      : { files: absolute, testNamePatterns: [exactly(name)] }),
  });
  events.on("test:enqueue", (event) => results.enqueued(event));
  events.on("test:start", (event) => results.started(event));
  events.on("test:pass", (event) => results.succeeded(event));
  events.on("test:fail", (event) => {
    // Ignores failures after an interruption because the test processes were stopped.
    const failure = children.isInterrupted ? undefined : results.failed(event);
    if (failure) console.log(formatFailure(failure));
  });
  events.on("test:stderr", (event) => process.stderr.write(event.message));
  for await (const _ of events) {
    // The run advances only while its events are read. The listeners above process them.
  }
  passed += results.passed;
  failures.push(...results.failures);
  for (const [file, seconds] of results.seconds) durations.set(file, seconds);
}

/** Returns Node options that write a CPU profile of each test process to the directory `PROFILE`. */
function profileArguments(): readonly string[] {
  const { PROFILE } = process.env;
  return PROFILE ? ["--cpu-prof", `--cpu-prof-dir=${resolve(PROFILE)}`] : [];
}

function exactly(title: string): RegExp {
  return new RegExp(`^${RegExp.escape(title)}$`);
}

async function finish(): Promise<void> {
  const seconds = elapsedSeconds();
  const running = children.list();
  await children.stop();
  const left = temporary.entries();
  temporary.remove();
  recordTestDurations(durations);
  if (recordsExpected) recordExpectedDurations(durations);
  const slowest = [...durations].sort(([, a], [, b]) => b - a).slice(0, slowestShown);
  console.log(
    `The slowest files: ${slowest.map(([file, taken]) => `${file} ${taken.toFixed(0)} s`).join(", ")}`,
  );
  if (running.length > 0) console.log(`Stopped ${running.length} processes that tests had left running.`);
  if (left.length > 0)
    console.log(
      `Removed ${left.length} temporary files that tests had left: ${left.slice(0, 20).join(", ")}`,
    );
  for (const failure of failures) console.log(`FAIL ${failure.titles.join(" > ")}\n  ${commandOf(failure)}`);
  if (name !== undefined && passed + failures.length === 0) console.log(`No test has the title "${name}".`);
  console.log(
    `${files.length} files in ${seconds.toFixed(1)} s (lanes: ${laneSeconds.map((each) => each.toFixed(0)).join(", ")} s)`,
  );
  console.log(`${passed} passed, ${failures.length} failed`);
  if (jsonFile !== undefined) writeFileSync(jsonFile, `${JSON.stringify(report(seconds))}\n`);
  process.exitCode = failures.length === 0 && passed > 0 ? 0 : 1;
}

function report(seconds: number): object {
  return {
    seconds: Math.round(seconds),
    passed,
    failed: failures.length,
    files: Object.fromEntries(durations),
    failures: failures.map(({ titles, place }) => ({ titles, place })),
  };
}

function printProgress(): void {
  console.log(
    `${elapsedSeconds().toFixed(0)} s: ${durations.size} of ${files.length} files, ${passed} passed, ${failures.length} failed`,
  );
}

function elapsedSeconds(): number {
  return (performance.now() - started) / 1_000;
}
