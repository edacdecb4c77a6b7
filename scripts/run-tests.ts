/**
 * Runs every test file with the given ending, in parallel, and ends with the line `N passed, N failed`.
 *
 *     node scripts/run-tests.ts .test.ts [part of a path ...]
 */

import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { relative } from "node:path";
import process from "node:process";
import { run } from "node:test";
import { inspect } from "node:util";
import { recordTestDurations, testDurations } from "./test-durations.ts";

const root = new URL("..", import.meta.url).pathname;
const [ending = ".test.ts", ...parts] = process.argv.slice(2);
const { workspaces }: { workspaces: string[] } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
const folders = [...workspaces.map((workspace) => `${workspace}/src`), "tests", "bench", "scripts"];
const files = globSync(folders.map((folder) => `${root}${folder}/**/*${ending}`))
  .filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)))
  .sort();

const batchRunner = `${root}scripts/test-batch.ts`;
/** Files, which is also what is lost when one of them takes its process down. */
const batchSize = 12;
// Many test files load the same modules: compiling them is most of what a small one costs.
process.env.NODE_COMPILE_CACHE ??= `${root}.tools/compile-cache`;
let passed = 0;
let failed = 0;
/** Seconds that each file took. */
const durations = new Map<string, number>();
const started = performance.now();
const isEndToEnd = (file: string) => file.includes("/e2e/");
// Each end-to-end file starts whole services, so one after another; they wait a lot, so beside all others. Whichever are
// done first, their lane takes of the others too.
const endToEndFiles = files
  .filter(isEndToEnd)
  .map((file) => [file])
  .values();
const [helping, ...otherLanes] = lanes(batches(files.filter((file) => !isEndToEnd(file))));
const laneSeconds = await Promise.all([
  runInTurn(oneAfterTheOther(endToEndFiles, helping ?? [])),
  runInTurn(oneAfterTheOther(helping ?? [], endToEndFiles)),
  ...otherLanes.map(runInTurn),
]);
const seconds = ((performance.now() - started) / 1000).toFixed(1);
if (files.length === 0) {
  console.log(`no test file ends with ${ending}`);
  failed++;
}
console.log(
  `the lanes took ${laneSeconds.map((taken) => taken.toFixed(0)).join(", ")} s, end-to-end files first`,
);
recordTestDurations(durations);
const slowest = [...durations].sort(([, a], [, b]) => b - a).slice(0, 40);
const slow = slowest.map(([file, taken]) => `${file} ${taken.toFixed(0)} s`).join(", ");
console.log(`${files.length} files in ${seconds} s; the slowest: ${slow}`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/**
 * Files of one folder load much the same, which is most of what small ones cost; so they share a process. What took
 * longest when it last ran comes first, so that lanes end together.
 */
function batches(chosen: readonly string[]): readonly (readonly string[])[] {
  const lasted = testDurations();
  const secondsOf = (batch: readonly string[]) =>
    batch.reduce((sum, file) => sum + (lasted[relative(root, file)] ?? 0), 0);
  const byPackage = Map.groupBy(chosen, (file) => relative(root, file).split("/").slice(0, 2).join("/"));
  return [...byPackage.values()]
    .flatMap((ofPackage) =>
      Array.from({ length: Math.ceil(ofPackage.length / batchSize) }, (_, at) =>
        ofPackage.slice(at * batchSize, (at + 1) * batchSize),
      ),
    )
    .sort((one, other) => secondsOf(other) - secondsOf(one));
}

/** As many as there are processors, which take from the same batches. */
function lanes(all: readonly (readonly string[])[]): readonly Iterable<readonly string[]>[] {
  const shared = all.values();
  return Array.from({ length: Math.max(2, availableParallelism()) }, () => shared);
}

function* oneAfterTheOther<T>(...parts: readonly Iterable<T>[]): Generator<T> {
  for (const part of parts) yield* part;
}

/** Gives how many seconds it took: the lane that ends last decides how long a run takes. */
async function runInTurn(all: Iterable<readonly string[]>): Promise<number> {
  for (const batch of all) await runBatch(batch);
  return (performance.now() - started) / 1_000;
}

async function runBatch(batch: readonly string[]): Promise<void> {
  const events = run({
    files: [batchRunner],
    argv: [...batch],
    // Outside clients start slowly, and there are many commands in a file.
    timeout: 1_200_000,
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  /** Whether it is a file, of which each is a test of its own. */
  const isFile = ({ name, details }: { name: string; details: { duration_ms: number } }) => {
    if (!batch.includes(name)) return false;
    durations.set(relative(root, name), details.duration_ms / 1_000);
    return true;
  };
  events.on("test:pass", (event) => {
    if (!isFile(event) && event.details.type !== "suite" && event.skip === undefined) passed++;
  });
  events.on("test:fail", (event) => {
    isFile(event);
    if (/^\d+ subtests? failed/.test(event.details.error.message)) return;
    failed++;
    // The process of a batch may fail though each of its tests passed: then it is one of these files.
    const ofBatch =
      event.name === batchRunner ? batch.map((file) => relative(root, file)).join(", ") : undefined;
    const place = ofBatch ?? (event.file ? `${relative(root, event.file)}:${event.line ?? 0}` : "");
    console.log(
      `FAIL ${event.name}  ${place}\n${inspect(ofBatch ? event.details.error : (event.details.error.cause ?? event.details.error))}\n`,
    );
  });
  events.on("test:stderr", (event) => process.stderr.write(event.message));
  for await (const _ of events) {
    // Reading drives the run; the listeners above count.
  }
}
