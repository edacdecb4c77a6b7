/**
 * `make check`: checks types, lint, import rules and language. Then runs the tests that import changed files directly or
 * indirectly. `--help` lists the options.
 */
import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import process from "node:process";
import { changedFiles } from "../git/changed-files.ts";
import { findChangeBase } from "../language/change-base.ts";
import { UsageError } from "../language/options.ts";
import { testDurations } from "../test-runner/durations.ts";
import { workspacePackages } from "../workspace/packages.ts";
import { coveringChecks } from "./covering-checks.ts";
import { importersOf } from "./import-graph.ts";
import { checkUsage, parseCheckCommand } from "./options.ts";
import { isTested, testsOf, withinBudget } from "./select-tests.ts";
import { runStep, type Step } from "./step.ts";

const root = new URL("../..", import.meta.url).pathname;
process.chdir(root);
/** Estimated duration in seconds of a test file without a recorded duration. */
const unknownSeconds = 3;
/** Number of test files that `run-tests.ts` runs concurrently. */
const lanes = 2;
const node = [process.execPath, "--disable-warning=ExperimentalWarning"] as const;

const command = parseCheckCommand(process.argv.slice(2));
if (command.kind === "help") {
  process.stdout.write(checkUsage);
  process.exit(0);
}
if (command.kind === "invalid") {
  process.stderr.write(`${command.message}\n`);
  process.exit(2);
}
const { seconds, isPartial } = command;
const base = changeBase(command.base);
const started = performance.now();
const changed = changedFiles(root, base);
console.log(`${changed.length} files changed since ${base}`);

const results = await Promise.all(staticSteps().map(runStep));
for (const { name, succeeded, output } of results) {
  if (!succeeded) process.stderr.write(output);
  console.log(`${name}: ${succeeded ? "passed" : "FAILED"}`);
}
const failed = results.filter(({ succeeded }) => !succeeded).map(({ name }) => name);
if (failed.length > 0) end(`failed: ${failed.join(", ")}; the tests did not run`, 1);

const texts = new Map(
  globSync("{cmd,services,operators,libraries,simulators,clients,tests,bench,scripts}/**/*.{ts,tsx}", {
    exclude: (name) => name === "node_modules",
  }).map((file) => [file, readFileSync(file, "utf8")]),
);
const importers = importersOf(texts, workspacePackages(root));
/**
 * Changed files, each with the sources that the change affects. These are the file itself and the sources that probably read the
 * file.
 */
const affected = new Map(changed.map((file) => [file, [file, ...readersOf(file)]]));
const tests = testsOf([...affected.values()].flat(), importers).filter(({ file }) => texts.has(file));
reportUntested();
const durations = testDurations();
const { run, notRun } = withinBudget(tests, seconds * lanes, (file) => durations[file] ?? unknownSeconds);
console.log(
  `${tests.length} test files reach the change by imports; ${run.length} run in the budget of ${seconds} s`,
);
if (run.length > 0) runTests(run.map(({ file }) => file));
if (notRun.length > 0) {
  console.log(`${notRun.length} test files were not run:`);
  for (const { file, distance } of notRun) console.log(`  ${file} (${distance} imports away)`);
  const remedy = "Run `make test`, raise the budget with SECONDS=N or ALL=1, or accept it with PARTIAL=1.";
  end(`${notRun.length} test files exceed the budget of ${seconds} s. ${remedy}`, isPartial ? 0 : 1);
}
end("passed", 0);

/** Returns the base commit. Exits if it is unknown. */
function changeBase(given: string | undefined): string {
  try {
    const { base: found, skipped = "" } = findChangeBase(root, given);
    if (found !== undefined) return found;
    process.stderr.write(`make check needs a commit to compare with. ${skipped}\n`);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n`);
  }
  return process.exit(2);
}

function staticSteps(): readonly Step[] {
  const existing = changed.filter((file) => existsSync(file));
  const lintable = existing.filter((file) => /\.(ts|tsx|js|json)$/.test(file));
  return [
    { name: "types", command: "scripts/typecheck.sh", args: ["tsconfig.json"] },
    {
      name: "types of services/portal-web",
      command: "scripts/typecheck.sh",
      args: ["services/portal-web/tsconfig.json"],
    },
    {
      name: "types of simulators/console",
      command: "scripts/typecheck.sh",
      args: ["simulators/console/tsconfig.json"],
    },
    ...(lintable.length === 0
      ? []
      : [
          {
            name: "lint",
            command: "node_modules/.bin/biome",
            args: ["check", "--no-errors-on-unmatched", "--files-ignore-unknown=true", ...lintable],
          },
        ]),
    { name: "import rules", command: node[0], args: [node[1], "scripts/check-imports.ts"] },
    { name: "language", command: node[0], args: [node[1], "scripts/check-language.ts", "--base", base] },
    ...existing
      .filter((file) => isShellScript(file))
      .map((file) => ({ name: `shell syntax of ${file}`, command: "bash", args: ["-n", file] })),
  ];
}

function isShellScript(file: string): boolean {
  return file.endsWith(".sh") || /^#!.*\b(ba)?sh\b/.test(readFileSync(file, "latin1").slice(0, 100));
}

/**
 * Returns the sources that probably read a changed file that is not a module, for example a template. These sources mention the
 * name of the file.
 */
function readersOf(file: string): readonly string[] {
  if (/\.tsx?$/.test(file)) return [];
  const name = basename(file);
  return [...texts].filter(([, text]) => text.includes(name)).map(([path]) => path);
}

/** Prints the checks to run for changed files that no test covers. */
function reportUntested(): void {
  const untested = changed.filter((file) => !affected.get(file)?.some((each) => isTested(each, importers)));
  if (untested.length === 0) return;
  console.log("No test in `make test` reaches these files by imports:");
  for (const file of untested) {
    const checks = coveringChecks(file);
    console.log(
      `  ${file}: ${checks.length > 0 ? `covered by ${checks.join(", ")}` : "NOT COVERED by any check"}`,
    );
  }
}

/** Runs test files. Exits if a test fails. */
function runTests(files: readonly string[]): void {
  const { status } = spawnSync(node[0], [node[1], "scripts/run-tests.ts", ".test.ts", ...files], {
    stdio: "inherit",
  });
  if (status !== 0) end("failed: tests", 1);
}

function end(outcome: string, code: number): never {
  const elapsed = ((performance.now() - started) / 1_000).toFixed(0);
  (code === 0 ? console.log : console.error)(`make check: ${outcome} (${elapsed} s)`);
  process.exit(code);
}
