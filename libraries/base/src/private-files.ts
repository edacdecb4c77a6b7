import { chmodSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Permission bits of the group and of other users. */
export const foreignRights = 0o077;

/**
 * Removes the permissions of group and other users from a file, or from a directory and its content. Does not follow symbolic
 * links.
 */
export function removeForeignRights(path: string): void {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) return;
  if ((stats.mode & foreignRights) !== 0) chmodSync(path, stats.mode & 0o7700);
  if (stats.isDirectory()) for (const name of readdirSync(path)) removeForeignRights(join(path, name));
}
