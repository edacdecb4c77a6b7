import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import process from "node:process";

const directory = new URL("../../.tools/", import.meta.url);
const file = new URL("test-durations.json", directory);

/** Seconds of each test file in its latest run on this machine, by path from the root. Empty before the first run. */
export function testDurations(): Readonly<Record<string, number>> {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return {};
  }
}

export function recordTestDurations(seconds: ReadonlyMap<string, number>): void {
  mkdirSync(directory, { recursive: true });
  const written = new URL(`test-durations.${process.pid}.json`, directory);
  writeFileSync(written, JSON.stringify({ ...testDurations(), ...Object.fromEntries(seconds) }));
  renameSync(written, file);
}
