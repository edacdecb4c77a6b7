import { readFileSync } from "node:fs";
import { join } from "node:path";
import { forkPoint, untrackedFiles } from "../git/changed-files.ts";
import { git } from "../git/git.ts";

/** Added line numbers by file path. */
export type AddedLines = ReadonlyMap<string, ReadonlySet<number>>;

/**
 * Returns the lines added since the branch left `base`, including uncommitted and untracked ones. A renamed file adds only its
 * changed lines.
 */
export function addedLines(root: string, base: string): AddedLines {
  const diff = git(
    root,
    ...["-c", "core.quotePath=false", "diff", "--unified=0", "--find-renames", "-l5000", "--no-color"],
    ...["--no-ext-diff", "--no-textconv", "--src-prefix=a/", "--dst-prefix=b/", forkPoint(root, base)],
  );
  const added = new Map<string, ReadonlySet<number>>(parseDiff(diff));
  for (const path of untrackedFiles(root)) {
    if (!added.has(path)) added.set(path, allLines(join(root, path)));
  }
  return added;
}

/** Returns the added lines of a unified diff without context. */
export function parseDiff(diff: string): Map<string, Set<number>> {
  const added = new Map<string, Set<number>>();
  let lines = new Set<number>();
  /** Remaining lines of the current hunk. */
  let removals = 0;
  let additions = 0;
  for (const row of diff.split("\n")) {
    if (removals > 0 && row.startsWith("-")) removals--;
    else if (additions > 0 && row.startsWith("+")) additions--;
    else if (row.startsWith("+++ ")) {
      lines = new Set();
      const path = /^\+\+\+ "?b\/(.*?)"?\t?$/.exec(row)?.[1];
      if (path !== undefined) added.set(path, lines);
    } else {
      const [, removed, start, count = "1"] = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(row) ?? [];
      if (start === undefined) continue;
      removals = Number(removed ?? "1");
      additions = Number(count);
      for (let line = 0; line < additions; line++) lines.add(Number(start) + line);
    }
  }
  return added;
}

/** Returns all line numbers of a file. Empty for a directory, for example a nested repository. */
function allLines(file: string): ReadonlySet<number> {
  try {
    return new Set(
      readFileSync(file, "utf8")
        .split("\n")
        .map((_, index) => index + 1),
    );
  } catch {
    return new Set();
  }
}
