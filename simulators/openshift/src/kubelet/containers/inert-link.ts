import { lstat, readlink, symlink } from "node:fs/promises";

/**
 * Prefix of encoded link targets. The target of a container's symbolic link is encoded as a file name without slashes. The kernel
 * can then follow the link only to a file in the same directory. Therefore, a link created between the check and the use of a
 * path is harmless.
 */
const prefix = "keelson-link.";

export async function makeInertLink(target: string, place: string): Promise<void> {
  await symlink(`${prefix}${Buffer.from(target).toString("base64url")}`, place);
}

/** Returns the target of a link as the container sees it. `undefined` if the path is not a link. */
export async function readInertLink(place: string): Promise<string | undefined> {
  try {
    if (!(await lstat(place)).isSymbolicLink()) return undefined;
    const stored = await readlink(place);
    return stored.startsWith(prefix)
      ? Buffer.from(stored.slice(prefix.length), "base64url").toString()
      : stored;
  } catch {
    // The path does not exist yet. A later operation on the path reports the error.
    return undefined;
  }
}
