import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { contentErrors } from "../content/content-errors.ts";

const maxBytes = 1_000_000;

/**
 * Returns the content of a file in a checkout. `undefined` if the file does not exist. A link to a path outside of the checkout
 * is rejected.
 * @throws LibraryUnreadable
 */
export async function findCheckoutFile(
  checkout: string,
  path: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const file = await inside(checkout, path);
  if (file === undefined) return undefined;
  const found = await stat(file);
  if (!found.isFile()) throw contentErrors.LibraryUnreadable(`${path} is not a regular file`);
  if (found.size > maxBytes)
    throw contentErrors.LibraryUnreadable(`${path} is larger than ${maxBytes} bytes`);
  return readFile(file, { encoding: "utf8", signal });
}

/** Returns the sorted file names in a directory of a checkout. Empty if the directory does not exist. */
export async function listCheckoutFiles(checkout: string, path: string): Promise<readonly string[]> {
  const directory = await inside(checkout, path);
  if (directory === undefined) return [];
  const entries = await readdir(directory, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();
}

async function inside(checkout: string, path: string): Promise<string | undefined> {
  const root = await realpath(checkout);
  let file: string;
  try {
    file = await realpath(join(root, path));
  } catch {
    return undefined;
  }
  if (file !== root && !file.startsWith(root + sep))
    throw contentErrors.LibraryUnreadable(`${path} is outside the checkout`);
  return file;
}
