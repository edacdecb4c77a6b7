import { globSync, statSync } from "node:fs";
import { resolve } from "node:path";

/** Directory of a Go package with tests, and its compiled test program if it exists. */
export interface OperatorSuite {
  readonly directory: string;
  readonly program: string | undefined;
}

/** Checks the directories. @returns the suites, or the problem with the first invalid directory */
export function findSuites(
  directories: readonly string[],
): { readonly suites: readonly OperatorSuite[] } | { readonly problem: string } {
  const suites: OperatorSuite[] = [];
  for (const each of directories) {
    const directory = resolve(each);
    if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory())
      return { problem: `Suite ${JSON.stringify(each)} is not a directory.` };
    const [program] = globSync("*.test", { cwd: directory });
    if (program === undefined && globSync("*_test.go", { cwd: directory }).length === 0)
      return { problem: `Suite ${JSON.stringify(each)} has neither *_test.go nor a program *.test.` };
    suites.push({ directory, program: program === undefined ? undefined : resolve(directory, program) });
  }
  return { suites };
}
