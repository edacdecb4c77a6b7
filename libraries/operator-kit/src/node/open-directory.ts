import { constants, existsSync } from "node:fs";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { directoryMode } from "./node-files.ts";

/** Paths of open files on Linux. Without them a directory is addressed by its name. */
const descriptors = "/proc/self/fd";
const hasDescriptors = existsSync(descriptors);

/** Path of an open directory, which no rename and no link changes. */
export function placeOfHandle(handle: FileHandle, name: string): string {
  return hasDescriptors ? `${descriptors}/${handle.fd}` : name;
}

/**
 * Opens a directory below `base` component by component and follows no link on the way (openat(2), O_NOFOLLOW). A link
 * that replaced a directory after the path was resolved is an error.
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

/** Opens a file or directory of an open directory and follows no link. */
export function openEntry(directory: string, name: string): Promise<FileHandle> {
  return open(join(directory, name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
}

function unlessPresent(error: unknown): void {
  if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
}
