import { git } from "./git.ts";

/**
 * Returns the files that changed since the branch left `base`: committed, uncommitted and untracked files. On `base` itself,
 * includes the files of the last commit. Paths are relative to the repository root.
 */
export function changedFiles(root: string, base: string): readonly string[] {
  const changed = git(root, "diff", "--name-only", "--no-renames", forkPoint(root, base));
  return [...new Set([...changed.split("\n"), ...untrackedFiles(root)].filter(Boolean))].sort();
}

/** Returns the commit at which the branch left `base`. On `base` itself, returns the parent of the last commit. */
export function forkPoint(root: string, base: string): string {
  const head = git(root, "rev-parse", "HEAD");
  const fork = git(root, "merge-base", base, "HEAD");
  const hasParent = git(root, "rev-list", "--count", "HEAD") !== "1";
  return fork === head && hasParent ? git(root, "rev-parse", "HEAD~1") : fork;
}

/** Returns the untracked files that git does not ignore. */
export function untrackedFiles(root: string): readonly string[] {
  return git(root, "ls-files", "--others", "--exclude-standard", "-z").split("\0").filter(Boolean);
}
