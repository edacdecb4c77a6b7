import { execFileSync } from "node:child_process";

/**
 * Runs git in `root`. Returns the output without surrounding white space.
 * @throws Error if git fails
 */
export function git(root: string, ...args: readonly string[]): string {
  return execFileSync("git", args, {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 256 * 1_024 * 1_024,
  }).trim();
}

/** Runs git like `git`. Returns `undefined` if git fails. */
export function tryGit(root: string, ...args: readonly string[]): string | undefined {
  try {
    return git(root, ...args);
  } catch {
    return undefined;
  }
}
