import { existsSync, readFileSync } from "node:fs";
import { cp, mkdir, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { FileLock, removeForeignRights } from "@keelson/base";

/**
 * Returns the path of the cached data directory for this PGlite version. The path is next to the installed packages, because
 * other users could modify a shared directory such as `/tmp`.
 */
export function keptPath(): string {
  const entry = createRequire(import.meta.url).resolve("@electric-sql/pglite");
  const [root = ""] = entry.split(join("@electric-sql", "pglite"));
  const manifest = join(root, "@electric-sql", "pglite", "package.json");
  const { version }: { version: string } = JSON.parse(readFileSync(manifest, "utf8"));
  return join(root, ".cache", "keelson", `pglite-${version}`);
}

/**
 * Copies the cached empty data directory to a new path, because creating a data directory takes seconds. The copy is atomic.
 * Without a writable cache, PGlite creates the data directory.
 */
export async function copyDataDirectory(dataDir: string, kept = keptPath()): Promise<void> {
  if (existsSync(dataDir) || !(await keepDataDirectory(kept))) return;
  const draft = `${dataDir}.new`;
  await rm(draft, { recursive: true, force: true });
  await cp(kept, draft, { recursive: true });
  // Removes permissions, because PGlite makes its files writable for all users.
  removeForeignRights(draft);
  await rename(draft, dataDir);
}

/** Creates the cached data directory if it does not exist. Returns true if it exists afterwards. */
async function keepDataDirectory(kept: string): Promise<boolean> {
  if (existsSync(kept)) return true;
  try {
    await mkdir(dirname(kept), { recursive: true });
    using lock = FileLock.acquire(`${kept}.lock`);
    if (!lock) return false;
    const draft = `${kept}.new`;
    await rm(draft, { recursive: true, force: true });
    const database = await PGlite.create({ dataDir: draft });
    await database.close();
    await rename(draft, kept);
    return true;
  } catch {
    return false;
  }
}
