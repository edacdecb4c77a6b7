/**
 * Prints the classes with the largest growth between two heap snapshots.
 * Usage: `node tests/soak/compare-heaps.ts BEFORE AFTER`.
 */
import process from "node:process";
import { printTable } from "../../bench/support/table.ts";
import { classGrowth, heapClasses } from "./heap-classes.ts";

const shown = 40;
const [before, after, ...rest] = process.argv.slice(2);
if (before === undefined || after === undefined || rest.length > 0 || before.startsWith("-")) {
  const usage = "usage: node tests/soak/compare-heaps.ts BEFORE.heapsnapshot AFTER.heapsnapshot\n";
  const isHelp = before === "--help";
  (isHelp ? process.stdout : process.stderr).write(usage);
  process.exit(isHelp ? 0 : 2);
}
const growth = classGrowth(heapClasses(before), heapClasses(after));
printTable([
  ["class", "objects", "KiB"],
  ...growth.slice(0, shown).map(({ name, count, bytes }) => [name, `${count}`, (bytes / 1_024).toFixed(1)]),
]);
