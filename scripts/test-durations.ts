import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";

const folder = new URL("../.tools/", import.meta.url);
const file = new URL("test-durations.json", folder);

/** How many seconds each test file took when it last ran here, by its path from the root; empty at first. */
export function testDurations(): Readonly<Record<string, number>> {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return {};
  }
}

export function recordTestDurations(seconds: ReadonlyMap<string, number>): void {
  mkdirSync(folder, { recursive: true });
  const written = new URL(`test-durations.${process.pid}.json`, folder);
  writeFileSync(written, JSON.stringify({ ...testDurations(), ...Object.fromEntries(seconds) }));
  renameSync(written, file);
}
