import { git } from "./git.ts";

/**
 * Returns the files that changed since the branch left `base`: committed, uncommitted and untracked files. On `base` itself,
 * these are the uncommitted and untracked files. Without such files, returns the files of the last commit. Paths are relative to
 * the repository root.
 */
export function changedFiles(root: string, base: string): readonly string[] {
  const changed = git(root, "diff", "--name-only", "--no-renames", forkPoint(root, base));
  return [...new Set([...changed.split("\n"), ...untrackedFiles(root)].filter(Boolean))].sort();
}

/**
 * Returns the commit at which the branch left `base`. On `base` itself, returns HEAD. If the working tree is also clean, returns
 * the parent of the last commit.
 */
export function forkPoint(root: string, base: string): string {
  const head = git(root, "rev-parse", "HEAD");
  const fork = git(root, "merge-base", base, "HEAD");
  if (fork !== head || !isClean(root)) return fork;
  const hasParent = git(root, "rev-list", "--count", "HEAD") !== "1";
  return hasParent ? git(root, "rev-parse", "HEAD~1") : fork;
}

/** Returns the untracked files that git does not ignore. */
function untrackedFiles(root: string): readonly string[] {
  return git(root, "ls-files", "--others", "--exclude-standard", "-z").split("\0").filter(Boolean);
}

/** True if the working tree has no changed and no untracked files. */
function isClean(root: string): boolean {
  return git(root, "status", "--porcelain", "--untracked-files=normal") === "";
}
