/**
 * Runs every test file with the given ending, in parallel, and ends with the line `N passed, N failed`.
 *
 *     node scripts/run-tests.ts .test.ts [part of a path ...]
 */

import { globSync } from "node:fs";
import { availableParallelism } from "node:os";
import { relative } from "node:path";
import process from "node:process";
import { run } from "node:test";
import { inspect } from "node:util";

const root = new URL("..", import.meta.url).pathname;
const [ending = ".test.ts", ...parts] = process.argv.slice(2);
const folders = ["packages/*/src", "cmd/*/src", "scripts", "e2e", "bench"];
const files = globSync(folders.map((folder) => `${root}${folder}/**/*${ending}`))
  .filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)))
  .sort();

let passed = 0;
let failed = 0;
/** Seconds that each file took. */
const durations = new Map<string, number>();
const started = performance.now();
const isEndToEnd = (file: string) => file.includes("/e2e/");
// Each end-to-end file starts whole services, so one after another; they wait a lot, so beside all others.
await Promise.all([
  runAll(files.filter(isEndToEnd), 1),
  runAll(
    files.filter((file) => !isEndToEnd(file)),
    Math.max(2, availableParallelism()),
  ),
]);
const seconds = ((performance.now() - started) / 1000).toFixed(1);
if (files.length === 0) {
  console.log(`no test file ends with ${ending}`);
  failed++;
}
const slowest = [...durations].sort(([, a], [, b]) => b - a).slice(0, 5);
const slow = slowest.map(([file, taken]) => `${file} ${taken.toFixed(0)} s`).join(", ");
console.log(`${files.length} files in ${seconds} s; the slowest: ${slow}`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function runAll(chosen: readonly string[], concurrency: number): Promise<void> {
  if (chosen.length === 0) return;
  const events = run({
    files: [...chosen],
    concurrency,
    timeout: 480_000,
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  events.on("test:pass", (event) => {
    if (event.details.type === "suite" || event.skip !== undefined) return;
    if (isFile(event.name)) return;
    passed++;
  });
  events.on("test:fail", (event) => {
    const wraps = event.details.error.message.includes("subtest");
    if (wraps && (event.details.type === "suite" || isFile(event.name))) return;
    failed++;
    const place = event.file ? `${relative(root, event.file)}:${event.line ?? 0}` : "";
    console.log(
      `FAIL ${event.name}  ${place}\n${inspect(event.details.error.cause ?? event.details.error)}\n`,
    );
  });
  events.on("test:summary", ({ file, duration_ms }) => {
    if (file) durations.set(relative(root, file), duration_ms / 1_000);
  });
  events.on("test:stderr", (event) => process.stderr.write(event.message));
  for await (const _ of events) {
    // Reading drives the run; the listeners above count.
  }
}

/** The runner reports each file as a test of its own, named by its path. */
function isFile(name: string): boolean {
  return name.endsWith(ending);
}
