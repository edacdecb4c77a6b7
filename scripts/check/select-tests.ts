import type { Importers } from "./import-graph.ts";

/**
 * Test file with its distance: the number of imports between the file and the nearest changed file. The distance of a changed
 * test is 0.
 */
export interface SelectedTest {
  readonly file: string;
  readonly distance: number;
}

/** Returns the distance of each file that imports a changed file directly or indirectly. Changed files have distance 0. */
function distancesFrom(changed: readonly string[], importers: Importers): ReadonlyMap<string, number> {
  const distances = new Map(changed.map((file) => [file, 0]));
  // The loop also visits entries that it adds, so this is a breadth-first search.
  for (const [file, distance] of distances) {
    for (const importer of importers.get(file) ?? []) {
      if (!distances.has(importer)) distances.set(importer, distance + 1);
    }
  }
  return distances;
}

/** Returns the test files that import a changed file directly or indirectly, nearest first. End-to-end tests are last. */
export function testsOf(changed: readonly string[], importers: Importers): readonly SelectedTest[] {
  const isOfService = ({ file, distance }: SelectedTest) =>
    distance > 0 && file.startsWith("tests/") ? 1 : 0;
  return [...distancesFrom(changed, importers)]
    .filter(([file]) => isTest(file))
    .map(([file, distance]) => ({ file, distance }))
    .sort((a, b) => isOfService(a) - isOfService(b) || a.distance - b.distance || (a.file < b.file ? -1 : 1));
}

/** True if a test file imports the changed file directly or indirectly. */
export function isTested(changed: string, importers: Importers): boolean {
  return [...distancesFrom([changed], importers).keys()].some(isTest);
}

function isTest(file: string): boolean {
  return file.endsWith(".test.ts");
}

export interface Selection {
  readonly run: readonly SelectedTest[];
  readonly notRun: readonly SelectedTest[];
}

/** Selects each test, in the given order, that fits into the remaining time budget. Changed tests always run. */
export function withinBudget(
  tests: readonly SelectedTest[],
  budgetSeconds: number,
  secondsOf: (file: string) => number,
): Selection {
  let left = budgetSeconds;
  const run: SelectedTest[] = [];
  const notRun: SelectedTest[] = [];
  for (const each of tests) {
    const seconds = secondsOf(each.file);
    const fits = each.distance === 0 || seconds <= left;
    if (fits) left -= seconds;
    (fits ? run : notRun).push(each);
  }
  return { run, notRun };
}
