import type { Importers } from "./import-graph.ts";

/** A test file and how many imports lie between it and the nearest change; 0 when it changed itself. */
export interface SelectedTest {
  readonly file: string;
  readonly distance: number;
}

/** The test files that reach a changed file by imports, nearest first. */
export function testsOf(changed: readonly string[], importers: Importers): readonly SelectedTest[] {
  const distances = new Map(changed.map((file) => [file, 0]));
  // A map visits what is added while it is read: breadth first.
  for (const [file, distance] of distances) {
    for (const importer of importers.get(file) ?? []) {
      if (!distances.has(importer)) distances.set(importer, distance + 1);
    }
  }
  return [...distances]
    .filter(([file]) => file.endsWith(".test.ts"))
    .map(([file, distance]) => ({ file, distance }))
    .sort((a, b) => a.distance - b.distance || (a.file < b.file ? -1 : 1));
}

export interface Selection {
  readonly run: readonly SelectedTest[];
  readonly leftOut: readonly SelectedTest[];
}

/** Those that fit into a time, nearest first; tests of the whole only when they changed themselves. */
export function withinTime(
  tests: readonly SelectedTest[],
  budgetSeconds: number,
  secondsOf: (file: string) => number,
): Selection {
  let left = budgetSeconds;
  const run: SelectedTest[] = [];
  const leftOut: SelectedTest[] = [];
  for (const each of tests) {
    const seconds = secondsOf(each.file);
    const fits = each.distance === 0 || (!each.file.startsWith("tests/") && seconds <= left);
    if (fits) left -= seconds;
    (fits ? run : leftOut).push(each);
  }
  return { run, leftOut };
}
