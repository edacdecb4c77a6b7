import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import process from "node:process";

const directory = new URL("../../.tools/", import.meta.url);
const file = new URL("test-durations.json", directory);

/**
 * File with the expected durations of slow test files. The first run in a checkout distributes the files among its lanes by these
 * durations.
 */
const expected = new URL("expected-seconds.json", import.meta.url);

/** Minimum duration in seconds of a file with an entry in `expected-seconds.json`. */
const slowSeconds = 3;

/** Returns the seconds of each test file by path. For a file that has not run in this checkout, returns the expected duration. */
export function testDurations(): Readonly<Record<string, number>> {
  return { ...readDurations(expected), ...readDurations(file) };
}

/** Writes the durations of slow files to the file with expected durations. */
export function recordExpectedDurations(seconds: ReadonlyMap<string, number>): void {
  const slow = [...seconds]
    .filter(([, taken]) => taken >= slowSeconds)
    .map(([path, taken]) => [path, Math.round(taken)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(expected, `${JSON.stringify(Object.fromEntries(slow), undefined, 2)}\n`);
}

function readDurations(from: URL): Readonly<Record<string, number>> {
  try {
    return JSON.parse(readFileSync(from, "utf8"));
  } catch {
    return {};
  }
}

export function recordTestDurations(seconds: ReadonlyMap<string, number>): void {
  mkdirSync(directory, { recursive: true });
  const written = new URL(`test-durations.${process.pid}.json`, directory);
  writeFileSync(written, JSON.stringify({ ...readDurations(file), ...Object.fromEntries(seconds) }));
  renameSync(written, file);
}
