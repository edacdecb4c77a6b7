import { lstatSync, mkdirSync, type Stats } from "node:fs";
import process from "node:process";
import { foreignRights, removeForeignRights } from "@keelson/base";
import { cliErrors } from "../output/cli-errors.ts";

/**
 * Creates the state directory with private permissions. Removes the permissions of other users from an existing directory,
 * because its files contain keys and tokens. Rejects a symbolic link, and a directory that belongs to a different user, because
 * other users could replace the files.
 * @throws StateUnusable
 */
export function ensurePrivateDirectory(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const stats = lstatSync(directory);
  const problem = ownershipProblem(stats);
  if (problem !== undefined)
    throw cliErrors.StateUnusable(
      `the state directory ${directory} cannot be used: it ${problem}. Choose a directory of your own with --state DIR`,
    );
  if (isOpenToOthers(stats)) removeForeignRights(directory);
}

/**
 * Returns the reason why a different user could replace the directory. Returns undefined if no other user can. Ownership is not
 * checked on Windows.
 */
export function ownershipProblem(stats: Stats): string | undefined {
  if (stats.isSymbolicLink()) return "is a symbolic link";
  const user = process.getuid?.();
  return user !== undefined && stats.uid !== user
    ? `belongs to user ${stats.uid}, not to ${user}`
    : undefined;
}

export function isOpenToOthers({ mode }: Stats): boolean {
  return process.getuid !== undefined && (mode & foreignRights) !== 0;
}
