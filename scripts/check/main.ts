/**
 * `make check`: types, lint, import rules, and the tests of what changed since `main` and of what imports it.
 *
 *     node scripts/check/main.ts [--base REF] [--seconds N] [--all]
 */
import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { testDurations } from "../test-durations.ts";
import { workspacePackages } from "../workspace.ts";
import { changedFiles } from "./changed-files.ts";
import { importersOf } from "./import-graph.ts";
import { testsOf, withinTime } from "./select-tests.ts";

const root = new URL("../..", import.meta.url).pathname;
process.chdir(root);
const { values } = parseArgs({
  options: {
    base: { type: "string", default: "main" },
    seconds: { type: "string", default: "120" },
    all: { type: "boolean", default: false },
  },
});
/** Of a test file that has not run here yet. */
const unknownSeconds = 3;
const started = performance.now();

const changed = changedFiles(root, values.base);
console.log(`${changed.length} files changed since ${values.base}`);
const lintable = changed.filter((file) => /\.(ts|tsx|js|json)$/.test(file) && existsSync(file));
step("types", "node_modules/.bin/tsc", [
  "-p",
  "tsconfig.json",
  "--incremental",
  "--tsBuildInfoFile",
  ".tools/types.tsbuildinfo",
]);
if (lintable.length > 0)
  step("lint", "node_modules/.bin/biome", [
    "check",
    "--no-errors-on-unmatched",
    "--files-ignore-unknown=true",
    ...lintable,
  ]);
step("import rules", process.execPath, ["--disable-warning=ExperimentalWarning", "scripts/check-imports.ts"]);

const texts = new Map(
  globSync("{cmd,services,operators,libraries,simulators,clients,tests,bench,scripts}/**/*.ts", {
    exclude: (name) => name === "node_modules",
  }).map((file) => [file, readFileSync(file, "utf8")]),
);
const sources = changed.filter((file) => file.endsWith(".ts"));
// Files that are no modules are read by those who name them.
const data = changed.filter((file) => !file.endsWith(".ts")).map((file) => basename(file));
const readers = [...texts]
  .filter(([, text]) => data.some((name) => text.includes(name)))
  .map(([file]) => file);
const tests = testsOf([...sources, ...readers], importersOf(texts, workspacePackages(root))).filter(
  ({ file }) => texts.has(file),
);
const durations = testDurations();
const lanes = 2;
const budget = values.all ? Number.POSITIVE_INFINITY : (Number(values.seconds) - elapsed()) * lanes;
const { run, leftOut } = values.all
  ? { run: tests, leftOut: [] }
  : withinTime(tests, budget, (file) => durations[file] ?? unknownSeconds);
console.log(
  `${run.length} test files reach the change${leftOut.length > 0 ? `, and ${leftOut.length} more that take longer:` : ""}`,
);
for (const { file, distance } of leftOut.slice(0, 10))
  console.log(`  left out: ${file}, ${distance} imports away`);
if (leftOut.length > 10)
  console.log(`  and ${leftOut.length - 10} more; --all runs them, and so does make test`);
if (run.length > 0) {
  const files = run.map(({ file }) => file);
  step("tests", process.execPath, [
    "--disable-warning=ExperimentalWarning",
    "scripts/run-tests.ts",
    ".test.ts",
    ...files,
  ]);
}
console.log(`checked in ${elapsed().toFixed(0)} s`);

function elapsed(): number {
  return (performance.now() - started) / 1_000;
}

/** Ends the run with the exit code of what fails. */
function step(name: string, command: string, args: readonly string[]): void {
  const { status, error } = spawnSync(command, args, { stdio: "inherit" });
  if (status === 0) return;
  console.error(`${name} failed${error ? `: ${error.message}` : ""}`);
  process.exit(status ?? 1);
}
