import { execFileSync } from "node:child_process";

/**
 * What differs from where the branch left `base`: its commits, uncommitted changes, and files that git does not know yet.
 * On `base` itself, what its last commit changed counts too. Paths are relative to the root of the repository.
 */
export function changedFiles(root: string, base: string): readonly string[] {
  const git = (...args: readonly string[]) =>
    execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 256 * 1_024 * 1_024 }).trim();
  const head = git("rev-parse", "HEAD");
  const fork = git("merge-base", base, "HEAD");
  const from =
    fork === head && git("rev-list", "--count", "HEAD") !== "1" ? git("rev-parse", "HEAD~1") : fork;
  const changed = git("diff", "--name-only", "--no-renames", from);
  const untracked = git("ls-files", "--others", "--exclude-standard");
  return [...new Set(`${changed}\n${untracked}`.split("\n").filter(Boolean))].sort();
}
