import { lstat, readlink, symlink } from "node:fs/promises";

/**
 * Prefix of encoded link targets. A container's symbolic link is stored with its target encoded as a file
 * name. The kernel can therefore follow it only to a sibling, even if the link is created between the check
 * and the use of a path.
 */
const prefix = "keelson-link.";

export async function makeInertLink(target: string, place: string): Promise<void> {
  await symlink(`${prefix}${Buffer.from(target).toString("base64url")}`, place);
}

/** Returns the target of a link as the container sees it. `undefined` if it is not a link. */
export async function readInertLink(place: string): Promise<string | undefined> {
  try {
    if (!(await lstat(place)).isSymbolicLink()) return undefined;
    const stored = await readlink(place);
    return stored.startsWith(prefix)
      ? Buffer.from(stored.slice(prefix.length), "base64url").toString()
      : stored;
  } catch {
    // The path does not exist (yet). Its use reports the error.
    return undefined;
  }
}
