import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { contentErrors } from "../content/content-errors.ts";

/**
 * Replaces the directory of an architecture with the given files. Old files are removed. If the replacement fails, the old
 * directory is kept.
 * @throws LibraryUnreadable if the directory contains files that do not belong to a catalogue
 */
export async function writeCatalogue(
  directory: string,
  files: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<void> {
  await refuseOthers(directory);
  const fresh = `${directory}.new`;
  const old = `${directory}.old`;
  await rm(fresh, { recursive: true, force: true });
  await rm(old, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true });
  for (const [path, text] of files) {
    signal.throwIfAborted();
    await mkdir(dirname(join(fresh, path)), { recursive: true });
    await writeFile(join(fresh, path), text);
  }
  await rename(directory, old).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
  await rename(fresh, directory);
  await rm(old, { recursive: true, force: true });
}

/**
 * Throws if the directory contains files that do not belong to a catalogue. A mistyped directory name therefore cannot delete
 * unrelated files.
 */
async function refuseOthers(directory: string): Promise<void> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(
    (error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    },
  );
  const other = entries.find(
    (entry) => !entry.isDirectory() && !(entry.isFile() && entry.name.endsWith(".json")),
  );
  if (other)
    throw contentErrors.LibraryUnreadable(
      `${directory} is not replaced: it contains ${other.name}, which is not a catalogue file. Use a different directory with --to`,
    );
}

function isMissing(error: unknown): boolean {
  return Object(error).code === "ENOENT";
}
