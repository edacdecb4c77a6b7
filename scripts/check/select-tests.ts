import type { Importers } from "./import-graph.ts";

/** A test file and its distance from the nearest change in imports. The distance of a changed test is 0. */
export interface SelectedTest {
  readonly file: string;
  readonly distance: number;
}

/** The files that import a changed file directly or indirectly, and the changed files, with their distances. */
function distancesFrom(changed: readonly string[], importers: Importers): ReadonlyMap<string, number> {
  const distances = new Map(changed.map((file) => [file, 0]));
  // A map visits entries that are added during iteration: breadth first.
  for (const [file, distance] of distances) {
    for (const importer of importers.get(file) ?? []) {
      if (!distances.has(importer)) distances.set(importer, distance + 1);
    }
  }
  return distances;
}

/** The test files that reach a changed file by imports, nearest first, tests of the complete service last. */
export function testsOf(changed: readonly string[], importers: Importers): readonly SelectedTest[] {
  const isOfService = ({ file, distance }: SelectedTest) =>
    distance > 0 && file.startsWith("tests/") ? 1 : 0;
  return [...distancesFrom(changed, importers)]
    .filter(([file]) => isTest(file))
    .map(([file, distance]) => ({ file, distance }))
    .sort((a, b) => isOfService(a) - isOfService(b) || a.distance - b.distance || (a.file < b.file ? -1 : 1));
}

/** True if a test file reaches the changed file by imports. */
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

/** Selects the tests that fit into a budget, in order. Changed tests run whatever they cost. */
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
