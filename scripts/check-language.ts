/** Checks comments, strings, documents and commit subjects against docs/language.md. `--help` prints the options. */
import { existsSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import process from "node:process";
import { checkChange } from "./language/check-change.ts";
import { checkFile } from "./language/check-file.ts";
import { type Finding, formatFinding } from "./language/finding.ts";
import { help, parseOptions, UsageError } from "./language/options.ts";
import { countFindings, formatReport, WordStatistics } from "./language/report.ts";
import { checkedFiles } from "./language/source-files.ts";

/** Runs the command line in the repository at `root` and returns the exit code. */
export function runCheck(root: string, args: readonly string[], print: (line: string) => void): number {
  const options = parseOptions(args);
  switch (options.mode) {
    case "check":
      return checkChange(root, findAll(root), options.base, print) ? 0 : 1;
    case "list":
      for (const finding of findAll(root, options.path)) print(formatFinding(finding));
      return 0;
    case "report":
      print(report(root, options.path));
      return 0;
    case "help":
      print(help);
      return 0;
  }
}

/** Returns the findings of all checked files. If `path` is set, returns only findings of files below this path. */
export function findAll(root: string, path?: string): readonly Finding[] {
  return filesBelow(root, path).flatMap((file) => checkFile(file, readFileSync(join(root, file), "utf8")));
}

function report(root: string, path: string | undefined): string {
  const statistics = new WordStatistics();
  for (const file of filesBelow(root, path)) statistics.add(file, readFileSync(join(root, file), "utf8"));
  return formatReport(statistics, countFindings(findAll(root, path)));
}

/**
 * Returns the checked files. If `path` is set, returns only files below this path.
 * @throws UsageError if the path does not exist
 */
function filesBelow(root: string, path: string | undefined): readonly string[] {
  const files = checkedFiles(root);
  if (path === undefined) return files;
  const below = relative(root, resolve(root, path));
  if (!existsSync(join(root, below))) {
    throw new UsageError(`path "${path}" does not exist. Use a path relative to ${root}, for example docs.`);
  }
  return files.filter((file) => below === "" || file === below || file.startsWith(`${below}/`));
}

if (import.meta.main) {
  try {
    const root = resolve(import.meta.dirname, "..");
    process.exitCode = runCheck(root, process.argv.slice(2), (line) => console.log(line));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(error.message);
    process.exitCode = 2;
  }
}
