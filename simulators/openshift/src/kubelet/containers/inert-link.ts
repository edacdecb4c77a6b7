import { lstat, readlink, symlink } from "node:fs/promises";

/**
 * Containers make symbolic links to wherever they like. On this machine such a link holds its target encoded as one
 * file name, so that the kernel can follow it to nothing but a sibling: even where a link is put in place between the
 * check of a path and its use, it does not lead out of the container's files.
 */
const prefix = "keelson-link.";

export async function makeInertLink(target: string, place: string): Promise<void> {
  await symlink(`${prefix}${Buffer.from(target).toString("base64url")}`, place);
}

/** What the link at `place` says to a container; `undefined` where there is none. */
export async function readInertLink(place: string): Promise<string | undefined> {
  try {
    if (!(await lstat(place)).isSymbolicLink()) return undefined;
    const stored = await readlink(place);
    return stored.startsWith(prefix)
      ? Buffer.from(stored.slice(prefix.length), "base64url").toString()
      : stored;
  } catch {
    // Nothing is there, or not yet: the use of the path says so.
    return undefined;
  }
}
