import { constants, existsSync } from "node:fs";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { directoryMode } from "./node-files.ts";

/** Directory of open file descriptors on Linux. On all other systems, an open directory is addressed by its name. */
const descriptors = "/proc/self/fd";
const hasDescriptors = existsSync(descriptors);

/** Returns a path of an open directory. Renames and links cannot redirect this path. */
export function placeOfHandle(handle: FileHandle, name: string): string {
  return hasDescriptors ? `${descriptors}/${handle.fd}` : name;
}

/**
 * Opens a directory below `base`, one component at a time, without following links (openat(2), O_NOFOLLOW). If a link has
 * replaced a directory after the path was resolved, the call fails.
 */
export async function openDirectory(
  base: string,
  components: readonly string[],
  create: boolean,
): Promise<FileHandle> {
  const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
  if (create) await mkdir(base, { recursive: true, mode: directoryMode });
  let name = base;
  let handle = await open(base, constants.O_RDONLY | constants.O_DIRECTORY);
  for (const component of components) {
    const next = join(placeOfHandle(handle, name), component);
    try {
      if (create) await mkdir(next, { mode: directoryMode }).catch(unlessPresent);
      const opened = await open(next, flags);
      await handle.close();
      handle = opened;
      name = join(name, component);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }
  return handle;
}

/** Opens a file or directory inside an open directory, without following links. */
export function openEntry(directory: string, name: string): Promise<FileHandle> {
  return open(join(directory, name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
}

function unlessPresent(error: unknown): void {
  if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
}
