import { git } from "./git.ts";

/**
 * Files that differ from the commit at which the branch left `base`: committed, uncommitted and untracked ones. On `base`
 * itself, they include the files of its last commit. Paths are relative to the root of the repository.
 */
export function changedFiles(root: string, base: string): readonly string[] {
  const changed = git(root, "diff", "--name-only", "--no-renames", forkPoint(root, base));
  return [...new Set([...changed.split("\n"), ...untrackedFiles(root)].filter(Boolean))].sort();
}

/** Commit at which the branch left `base`. On `base` itself, the commit before its last one. */
export function forkPoint(root: string, base: string): string {
  const head = git(root, "rev-parse", "HEAD");
  const fork = git(root, "merge-base", base, "HEAD");
  const hasParent = git(root, "rev-list", "--count", "HEAD") !== "1";
  return fork === head && hasParent ? git(root, "rev-parse", "HEAD~1") : fork;
}

/** Files that git neither tracks nor ignores. */
export function untrackedFiles(root: string): readonly string[] {
  return git(root, "ls-files", "--others", "--exclude-standard", "-z").split("\0").filter(Boolean);
}
